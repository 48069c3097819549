#pragma once

#include "model/protocol/process_heartbeat.hpp"
#include "model/protocol/queue_protocol.hpp"
#include "model/protocol/reliable_channel.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace troupe {

struct machine_link_rules {
  duration patience = std::chrono::milliseconds{1000};        ///< then something is overdue
  duration machine_timeout = std::chrono::milliseconds{5000}; ///< silent machines are given up
  /// So many machines are called to begin a session every heartbeat, so that their answers leave
  /// room for anything else; 0: all of them.
  std::uint32_t calls = 0;
};

/// The sessions of an incarnation of a scheduler with all machines: the machines' incarnations, the
/// silent machines, and the messages for them.
class machine_links {
public:
  machine_links(const machine_link_rules& rules, scheduler_id id, incarnation_id incarnation,
                std::size_t machines)
    : rules_(rules), id_(id), incarnation_(incarnation), links_(machines) {}

  std::size_t size() const { return links_.size(); }

  /// How many machines are in session.
  std::size_t joined() const { return joined_; }
  bool is_joined(machine_id machine) const { return links_.at(machine).joined; }

  /// Returns whether enough machines are in session to choose among them: so many as are called at
  /// once, without those that are to be drained; or any, once all machines have been called.
  bool has_choice() const {
    return joined_ > 0 && (rounds_ > 0 || joined_ - leaving_ >= rules_.calls);
  }

  /// How often each machine that is not in session has been called, at least.
  std::uint64_t rounds() const { return rounds_; }

  /// The incarnation of a machine, or the least one that it must have.
  incarnation_id incarnation_of(machine_id machine) const { return links_.at(machine).incarnation; }
  bool in_session(machine_id machine, incarnation_id incarnation) const {
    return is_joined(machine) && incarnation_of(machine) == incarnation;
  }

  // -- sessions -----------------------------------------------------------------------------------

  /// Begins a session with the incarnation of a machine that has sent a message.
  void begin(const queue_report& report);

  /// Refuses an incarnation of a machine, which must continue as the next one.
  void refuse(machine_id machine, incarnation_id incarnation);

  /// Ends the session with a machine.
  void end(machine_id machine);

  /// Notes a message of a machine in session, and hands out the events that are next, once each.
  template <class Handle>
  void receive(const queue_report& report, instant now, Handle handle) {
    auto& from = links_[report.machine];
    note(from, report, now);
    const auto note_and_handle = [&](const queue_event& event) {
      from.changes = from.changes || std::holds_alternative<capacity_notice>(event);
      handle(event);
    };
    from.events.receive(from.events.session(), report.first_event, report.events, note_and_handle);
    if (report.asks)
      tell(report.machine);
  }

  /// Returns once whether a machine has reported that it is to be drained.
  bool begins_to_leave(const queue_report& report) {
    const bool begins = report.leaves && !std::exchange(links_[report.machine].leaves, true);
    leaving_ += begins;
    return begins;
  }

  /// Notes that machines are alive. Returns the answer.
  process_lease hear(const process_heartbeat& heard, instant now);

  /// Notes that an incarnation of a machine may forget the ends of tasks up to a number.
  void settle(machine_id machine, incarnation_id incarnation, std::uint64_t end);

  // -- messages to machines -----------------------------------------------------------------------

  /// Makes the next messages include one to a machine.
  void tell(machine_id machine);

  /// Sends an order to a machine, if it is in session.
  void order(machine_id machine, queue_order what, instant now);

  /// Repeats overdue messages to machines.
  void tell_overdue(instant now);

  /// Calls machines that are not in session, all or some in turn. With `also_changing`, also the
  /// idle ones in session whose capacity changes: one that was restarted may have more than it
  /// said.
  void call(bool also_changing = false);

  /// Returns the messages for machines that are due.
  std::vector<queue_orders> due_orders(instant now);

  /// Returns whether a machine is in session, has or should get tasks or entries or is to be
  /// drained, and was silent for too long. Time before `moved` does not count, since this scheduler
  /// was frozen.
  bool is_silent(machine_id machine, instant moved, instant now) const;

private:
  struct link {
    incarnation_id incarnation = 0; ///< of the machine, or the least one that it must have
    bool joined = false;            ///< in session
    bool busy = false;              ///< it has tasks or entries of this scheduler
    bool due = false;               ///< a message is due
    bool leaves = false;            ///< it is to be drained
    bool changes = false;           ///< it has told a change of its capacity
    instant heard{0};
    instant busy_since{0};
    instant answers{0}; ///< when the latest heartbeat was sent
    reliable_receiver<queue_event> events;
    reliable_sender<queue_order> orders;
    std::uint64_t ends_done = 0;
    std::uint64_t ends_told = 0; ///< of these, with the latest message

    bool owes() const { return events.owes() || ends_done > ends_told; }
    bool waits() const { return busy || !orders.empty(); }
  };

  static void note(link& from, const queue_report& report, instant now);
  queue_orders orders_to(machine_id machine) const;

  machine_link_rules rules_;
  scheduler_id id_;
  incarnation_id incarnation_;
  std::vector<link> links_;  ///< by machine
  machine_id next_call_ = 0; ///< the first one to be called next
  std::uint64_t rounds_ = 0; ///< of calls, from the first machine to the last
  std::size_t joined_ = 0;
  std::size_t leaving_ = 0; ///< of the machines in session: to be drained
  std::vector<machine_id> due_;
};

} // namespace troupe
