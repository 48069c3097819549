#pragma once

#include "model/protocol/process_heartbeat.hpp"
#include "model/protocol/queue_protocol.hpp"
#include "model/protocol/reliable_channel.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// The session of a machine with a queue with one scheduler where failures are watched: the
/// incarnations of both sides, the lease of the scheduler's tasks, and the unacknowledged events.
class queue_session {
public:
  /// `incarnation` is that of the machine, to this scheduler.
  explicit queue_session(incarnation_id incarnation) : incarnation_(incarnation) {}

  incarnation_id incarnation() const { return incarnation_; }

  /// The incarnation of the scheduler that the machine obeys; 0: it knows none.
  incarnation_id scheduler_incarnation() const { return scheduler_incarnation_; }

  /// Whether this incarnation of the scheduler knows the state of the machine.
  bool joined() const { return joined_; }

  /// Whether tasks of the scheduler may run.
  bool leased(instant now) const { return now < lease_until_; }
  instant lease_until() const { return lease_until_; }

  /// Begins to obey another incarnation of the scheduler.
  void adopt(incarnation_id scheduler_incarnation);

  /// Continues as another incarnation of the machine, without tasks and entries of the scheduler.
  void fence(incarnation_id incarnation);

  /// Extends the lease until `until`. Returns whether it had expired.
  bool extend(instant until, instant now);

  /// Takes the acknowledgements and orders of the scheduler; its lease ends at `until`.
  void renew(const queue_orders& orders, instant until, instant now);

  /// Hands out the orders of the session that are next, once each. `busy`: whether the machine has
  /// tasks or entries of the scheduler.
  template <class Handle>
  void receive(const queue_orders& orders, bool busy, instant now, Handle handle) {
    due_ = due_ || !leased(now); // else the acknowledgement can wait
    if (!busy)
      busy_since_ = now;
    orders_.receive(orders_.session(), orders.first_order, orders.orders, handle);
    note_something();
  }

  /// Notes that a task of the scheduler has started, or has stopped without an end to be told.
  void started() { ++running_; }
  void stopped() { --running_; }

  /// Tells an event.
  void tell(queue_event event);

  /// Tells an event that the scheduler has not called for. `busy` as in `receive`.
  void tell_unasked(queue_event event, bool busy, instant now) {
    if (!busy)
      busy_since_ = now;
    tell(std::move(event));
  }

  /// Tells the end of a task, and keeps it until job stores know of it.
  void tell_end(scheduler_id scheduler, const task_end& end);

  /// Tells that a task was lost. That is not kept: to a new incarnation of the scheduler the task
  /// is one that runs nowhere.
  void tell_loss(scheduler_id scheduler, const task_end& end) {
    tell(machine_event{0, scheduler, end});
  }

  /// Returns whether the end of a task is kept, or still to be told.
  bool keeps_end(const task_id& task) const;

  /// Requests a message to the scheduler at once.
  void note_due() { due_ = true; }

  /// Whether a message was requested.
  bool is_due() const { return due_; }

  /// Whether the session is in a list of those with a requested message.
  bool is_listed() const { return listed_; }
  void note_listed(bool listed) { listed_ = listed; }

  /// Returns once whether a message was requested and the machine knows the scheduler.
  bool take_due() { return std::exchange(due_, false) && scheduler_incarnation_ > 0; }

  /// Whether tasks run or messages are due.
  bool busy() const { return running_ > 0 || !events_.empty() || !kept_.empty(); }

  /// The time at which the machine drops the tasks and entries of the scheduler, if `busy`. Entries
  /// that wait need no lease, but may not wait for longer than `lease` without an answer.
  instant limit(bool busy, duration lease) const;

  /// Whether the scheduler is to be asked for an answer. `pulsed`: the node sends the heartbeats.
  bool asks(bool busy, bool leaves, bool pulsed, duration patience, instant now) const;

  /// Whether a message is overdue, apart from questions.
  bool overdue(duration patience, instant now) const {
    return orders_.owes() || events_.due(now, patience);
  }

  /// Fills in only the two sides of a message and their incarnations.
  void name_sides(queue_report& report) const;

  /// Adds the events that are new or overdue to a message or, when the session begins, all ends
  /// that the machine keeps. The caller has set whether the machine is busy, leaves or asks.
  void write(queue_report& report, duration patience, instant now);

private:
  void begin();
  void note_something();

  incarnation_id incarnation_;
  incarnation_id scheduler_incarnation_ = 0;
  bool joined_ = false;
  bool due_ = false;      ///< a message is due
  bool listed_ = false;   ///< as such
  bool told_idle_ = true; ///< the scheduler knows that it has nothing here
  instant lease_until_{0};
  instant busy_since_{0};
  std::optional<instant> idle_sent_;  ///< when it was first told that nothing is here
  bool told_leaving_ = false;         ///< the scheduler knows that the machine is to be emptied
  std::optional<instant> leave_sent_; ///< when it was first told so
  reliable_receiver<queue_order> orders_;
  reliable_sender<queue_event> events_;
  std::uint32_t running_ = 0;       ///< tasks
  std::uint64_t ends_ = 0;          ///< in this incarnation
  std::vector<machine_event> kept_; ///< of which job stores may not know
  instant kept_since_{0};           ///< the first of them, or asked about them last
};

} // namespace troupe
