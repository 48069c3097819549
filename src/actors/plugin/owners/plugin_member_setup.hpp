#pragma once

#include "model/cluster/catalog.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

struct plugin_member_rules {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  incarnation_id incarnation = 1;
  std::vector<std::uint32_t> stores{}; ///< that give it jobs
  std::uint32_t retries = 0;           ///< lost runs of a task until it is given up; 0: never
  duration commit_timeout = std::chrono::seconds{2}; ///< then a commit is sent again
  /// Owners report changes of machines, but send no snapshots: the plugin's view learns from its
  /// own tasks. While a task runs on a machine that the plugin does not know, the plugin is told
  /// that the machine has less.
  bool own_tasks = false;
  instant warmup{0}; ///< jobs submitted earlier are left out of the times of jobs
};

/// What a member of a plugin of the protocol `owners` begins with, and never changes.
struct plugin_member_setup {
  /// `catalog_` must outlive the object. `owners_` names the owner of each partition; there must be
  /// at least one.
  plugin_member_setup(plugin_member_rules how, const catalog& catalog_,
                      std::vector<owner_id> owners_)
    : rules(std::move(how)), machines(catalog_), owner_of(std::move(owners_)) {}

  /// The number of owners.
  std::size_t owners() const { return 1 + *std::ranges::max_element(owner_of); }

  owner_id owner_of_machine(machine_id m) const { return owner_of[machines.place_of(m).partition]; }

  const plugin_member_rules rules;
  const catalog& machines;
  const std::vector<owner_id> owner_of; ///< by partition
};

} // namespace troupe
