#pragma once

#include "actors/plugin/plugin_member.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "runtime/cluster/state_of.hpp"

#include <optional>
#include <variant>

namespace troupe {

/// The core of a scheduler that commits to owners, as it is compared with other members' books: of
/// a built-in scheduler, or of the member in front of a plugin.
class placing_core {
public:
  /// Returns the core of a scheduler, or nothing once it has ended.
  static std::optional<placing_core> of(const simulated_cluster::process& who) {
    if (const auto* state = state_of<placing_scheduler_actor, scheduler_state>(who);
        state != nullptr && state->core)
      return placing_core{&*state->core};
    if (const auto* state = state_of<plugin_member_actor, plugin_member_state>(who);
        state != nullptr && state->core)
      return placing_core{&*state->core};
    return std::nullopt;
  }

  const failover_books* failover() const {
    return std::visit([](const auto* core) { return core->failover(); }, core_);
  }
  task_counts counts() const {
    return std::visit([](const auto* core) { return core->counts(); }, core_);
  }
  std::uint64_t under_way() const {
    return std::visit([](const auto* core) { return core->under_way(); }, core_);
  }
  std::uint64_t granted_twice() const {
    return std::visit([](const auto* core) { return core->granted_twice(); }, core_);
  }
  const record_outbox* recording() const {
    return std::visit([](const auto* core) { return core->recording(); }, core_);
  }
  const group_counters& counters() const {
    return std::visit(
      [](const auto* core) -> auto& { return core->counters(); }, core_);
  }
  bool awaits_answer(const task_id& task) const {
    return std::visit([&](const auto* core) { return core->awaits_answer(task); }, core_);
  }

private:
  using any_core = std::variant<const scheduler_core*, const plugin_member_core*>;

  explicit placing_core(any_core core) : core_(core) {}

  any_core core_;
};

} // namespace troupe
