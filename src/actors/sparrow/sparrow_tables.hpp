#pragma once

#include "actors/sparrow/jobs/open_jobs.hpp"
#include "actors/sparrow/jobs/task_accounts.hpp"
#include "actors/sparrow/probing/probe_ratio.hpp"
#include "actors/sparrow/probing/probed_machines.hpp"
#include "actors/sparrow/recovery/affected_jobs.hpp"
#include "actors/sparrow/sparrow_limits.hpp"
#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"

#include <cstdint>

namespace troupe {

/// The state that several steps of a Sparrow scheduler change, as classes that each keep their own
/// part of it consistent. A step brings them in line when a task changes its place.
struct sparrow_tables {
  sparrow_tables(scheduler_id own_id, const catalog& catalog_, const sparrow_limits& how,
                 random_stream random, std::uint32_t own_group)
    : id(own_id),
      machines(catalog_),
      limits(how),
      ratio(how),
      probed(catalog_, how, random),
      accounts(own_id, catalog_, how, own_group) {}

  sparrow_tables(const sparrow_tables&) = delete;
  sparrow_tables& operator=(const sparrow_tables&) = delete;

  const scheduler_id id;
  const catalog& machines;
  const sparrow_limits limits;
  open_jobs jobs;
  probe_ratio ratio;
  probed_machines probed;
  task_accounts accounts;
  affected_jobs affected{jobs, limits};
};

} // namespace troupe
