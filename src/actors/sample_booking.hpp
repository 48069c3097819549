#pragma once

#include "actors/recorder.hpp"

#include <map>

/// What the recorder does with a sample once all of it has come in.
namespace troupe {

/// What a job store says of its tasks, for the balance of tasks.
store_account account_of(std::uint32_t number, const workload_status& status);

/// Where failures are watched: replaces what schedulers say of tasks and jobs by what job stores
/// say, since these know every one even after a scheduler was replaced. `before` has the last
/// answer of each job store; what one that does not answer knows comes with a later sample.
void trust_stores(sample_round& round, std::map<std::uint32_t, workload_status>& before);

/// Adds a sample to the record, with a row for each group and tenant. `capacity` is that of the
/// cluster; `last`: all tasks have to be in one place.
void book_sample(sample_round& round, const resource_sum& capacity, bool last, run_record& record);

} // namespace troupe
