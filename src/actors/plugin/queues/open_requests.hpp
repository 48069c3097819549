#pragma once

#include "actors/plugin/queues/reservation_names.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace troupe {

/// The requests of machines for tasks that a plugin has not answered.
class open_requests {
public:
  /// A machine asks for a task of a group, which the plugin knows as `seen`.
  void add(machine_id machine, const reserved_group& seen, const reserved_group& of) {
    auto& open = all_[{machine, seen.job, seen.group}];
    open.of = of;
    ++open.count;
  }

  bool has(machine_id machine, const reserved_group& seen) const {
    return all_.contains({machine, seen.job, seen.group});
  }

  /// The plugin answers one of the requests, which is there. Returns the group as the machine knows
  /// it.
  reserved_group take(machine_id machine, const reserved_group& seen) {
    const auto request = all_.find({machine, seen.job, seen.group});
    const auto of = request->second.of;
    if (--request->second.count == 0)
      all_.erase(request);
    return of;
  }

  /// A machine is gone: it needs no answers.
  void forget(machine_id machine) {
    all_.erase(all_.lower_bound({machine, 0, 0}), all_.lower_bound({machine + 1, 0, 0}));
  }

private:
  using key = std::tuple<machine_id, job_id, std::uint32_t>; ///< as the plugin knows it

  struct entry {
    reserved_group of;
    std::uint32_t count = 0;
  };

  std::map<key, entry> all_;
};

} // namespace troupe
