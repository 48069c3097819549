#pragma once

#include "actors/plugin/queues/queue_plugin_outbox.hpp"
#include "model/cluster/catalog.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// What a plugin of the protocol `queues` knows of machines: the capacity of each by the notices
/// that the plugin was told, and by those that it has heard, that is, answered. Nothing is told
/// before the begin; then the plugin is told of each machine that has not what the catalog says.
class machine_notices {
public:
  /// A notice that the plugin has not heard.
  struct told_notice {
    std::uint32_t number = 0;
    resources capacity;
    std::uint32_t of_machine = 0; ///< the machine's number of it; 0: the machine needs no answer
  };

  /// `machines` and `told` must outlive the object. Machines have nothing at first.
  machine_notices(const catalog& machines, queue_plugin_outbox& told);

  /// Whether there is such a machine. The other functions need one.
  bool knows(machine_id machine) const { return machine < notes_.size(); }

  // -- what the plugin is told --------------------------------------------------------------------

  bool begun() const { return begun_; }

  /// Tells the plugin of the machines, before all else. Later calls change nothing.
  void begin();

  /// Notes the capacity of a machine, and tells the plugin. `of_machine` is the machine's own
  /// number of the notice, or 0.
  void tell(machine_id machine, const resources& capacity, std::uint32_t of_machine = 0);

  /// The capacity by the latest notice.
  const resources& told(machine_id machine) const { return notes_.at(machine).told; }

  /// Counts the notices of a machine.
  std::uint32_t count(machine_id machine) const { return notes_.at(machine).notices; }

  // -- what the plugin has heard ------------------------------------------------------------------

  /// The plugin has heard the notices up to `number`: returns the next of these, and notes its
  /// capacity as heard; nothing if there are no more.
  std::optional<told_notice> hear_next(machine_id machine, std::uint32_t number);

  /// Whether the plugin has not heard all notices of a machine.
  bool has_unheard(machine_id machine) const { return unheard_.contains(machine); }

  /// The capacity by the latest notice that the plugin has heard; at first that of the catalog.
  const resources& heard(machine_id machine) const { return notes_.at(machine).heard; }

  // -- machines that leave ------------------------------------------------------------------------

  /// A machine is to be drained. Returns whether that is new.
  bool begin_leaving(machine_id machine);
  bool leaves(machine_id machine) const { return notes_.at(machine).leaves; }

  /// The session with a machine is over: it needs no answers to its notices, and does not leave.
  void end_session(machine_id machine);

  /// What the plugin sends to a machine is void until it has heard all notices so far.
  void begin_void(machine_id machine);

  /// Whether messages that the plugin sends to a machine now are void.
  bool is_void(machine_id machine) const;

  /// Whether a machine is there, does not leave, and could hold a task. It may be unknown.
  bool takes(machine_id machine, const resources& demand) const;

private:
  struct machine_note {
    resources told;
    resources heard;
    std::uint32_t notices = 0;
    std::uint32_t notices_heard = 0;
    std::uint32_t valid_from = 0; ///< the plugin's messages before it knew this notice are void
    bool leaves = false;
  };

  const catalog& machines_;
  queue_plugin_outbox& outbox_;
  bool begun_ = false;
  std::vector<machine_note> notes_; ///< by machine
  std::map<machine_id, std::deque<told_notice>> unheard_;
};

} // namespace troupe
