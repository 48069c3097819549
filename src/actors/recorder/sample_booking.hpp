#pragma once

#include "actors/recorder/recorder.hpp"

#include <map>

/// The booking of complete samples by the recorder.
namespace troupe {

/// The tasks of a job store, for the balance of tasks.
store_account account_of(std::uint32_t number, const workload_status& status);

/// If failures are watched: replaces the counts of schedulers by the counts of job stores, which
/// know every task and job even after a scheduler was replaced. `before` has the last answer of
/// each job store; the counts of a silent job store come with a later sample.
void trust_stores(sample_round& round, std::map<std::uint32_t, workload_status>& before);

/// Adds a sample to the record, with a row for each group and tenant. `capacity` is that of the
/// cluster; `last`: all tasks have to be in one place.
void book_sample(sample_round& round, const resource_sum& capacity, bool last, run_record& record);

} // namespace troupe
