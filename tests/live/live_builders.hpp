#pragma once

#include "model/live/live_board.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// Describes a run with one group.
inline live_about about_run(std::size_t schedulers, std::uint32_t owners, std::size_t partitions) {
  live_about about;
  about.run = "r1";
  about.name = "a <name>";
  about.architecture = "parsync";
  about.policy = "adaptive";
  about.world = "virtual";
  about.interval = std::chrono::seconds{1};
  about.machines = 100;
  about.owners = owners;
  about.groups = {{"batch", "adaptive", static_cast<std::uint32_t>(schedulers)}};
  about.group_of.assign(schedulers, 0);
  about.policies.assign(schedulers, "adaptive");
  for (std::size_t p = 0; p < partitions; ++p)
    about.owner_of.push_back(static_cast<owner_id>(p % owners));
  return about;
}

/// Makes the sample of second `n`, from 1: scheduler s has 10 * s tasks queued, and partition p is
/// in use by p percent.
inline live_sample sample_of_second(const live_about& about, int n) {
  live_sample made;
  made.from = std::chrono::seconds{n - 1};
  made.to = std::chrono::seconds{n};
  scheduler_sample all;
  all.tasks.submitted = 20;
  all.tasks.placed = 10;
  all.tasks.queued = 7;
  all.conflicts = 1;
  all.conflicts_by_cause[0] = 1;
  all.delay.add(0.5);
  made.groups = {all};
  made.utilization = 0.25;
  for (std::size_t s = 0; s < about.policies.size(); ++s) {
    scheduler_answer a;
    a.number = static_cast<scheduler_id>(s);
    a.sample.tasks.queued = 10 * s;
    a.sample.busy = std::chrono::milliseconds{500};
    a.details.ages_ms.assign(about.owner_of.size(), static_cast<std::uint16_t>(100 * (s + 1)));
    made.schedulers.push_back(std::move(a));
  }
  for (std::uint32_t o = 0; o < about.owners; ++o) {
    owner_answer a;
    a.number = o;
    a.sample.machines = 50;
    for (std::size_t p = o; p < about.owner_of.size(); p += about.owners) {
      partition_details d;
      d.partition = static_cast<partition_id>(p);
      d.capacity.amount[0] = 100;
      d.used.amount[0] = static_cast<std::int64_t>(p % 100);
      d.granted = 3;
      d.refused[0] = 1;
      a.partitions.push_back(d);
    }
    made.owners.push_back(std::move(a));
  }
  return made;
}

} // namespace troupe
