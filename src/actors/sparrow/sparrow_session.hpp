#pragma once

#include "actors/scheduler/failover_books.hpp"
#include "actors/sparrow/left_tasks.hpp"
#include "actors/sparrow/machine_links.hpp"
#include "actors/sparrow/probing_core.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace troupe {

struct sparrow_session_rules {
  incarnation_id incarnation = 1;
  std::vector<std::uint32_t> stores{}; ///< that give it jobs
  std::uint32_t retries = 0;           ///< lost runs of a task until it is given up; 0: never
  duration heartbeat = std::chrono::milliseconds{500};
  duration timeout = std::chrono::milliseconds{1500}; ///< silent schedulers are replaced after it
  /// Silent machines are given up after this.
  duration machine_timeout = std::chrono::milliseconds{5000};
  duration lease = std::chrono::seconds{10}; ///< it may act so long without the master
  duration old_lease{0}; ///< an earlier incarnation may act for so long; 0 for both: for ever
  /// As in `machine_link_rules`.
  std::uint32_t calls = 0;

  /// Messages that are not acknowledged for so long are overdue. Acknowledgements that are not
  /// urgent are sent with the next heartbeat.
  duration patience() const { return 2 * heartbeat; }

  /// Without a lease, a machine that has not answered so many calls counts as down.
  std::uint64_t unanswered_calls() const {
    return static_cast<std::uint64_t>(std::max(machine_timeout / heartbeat, duration::rep{1}));
  }
};

/// The decisions of a scheduler that probes machines, beside its core, where failures are watched,
/// without the actor around it: messages to machines, silent machines, and the tasks of an earlier
/// incarnation.
///
/// It acts in its sessions with machines as long as the master has answered within the lease. For
/// actions that may make a task run again elsewhere the rule is stricter: it gives machines up, and
/// begins sessions, only while it cannot have been replaced, that is, within the time-out of the
/// master's last answer. A new incarnation knows the running tasks once every machine has reported
/// them, or must have stopped them; until then it does not touch the tasks of the earlier one.
class sparrow_session {
public:
  /// `core` must outlive it; `now` is when it begins.
  sparrow_session(const sparrow_session_rules& rules, scheduler_id id, std::size_t machines,
                  probing_core& core, instant now);

  /// Books the events of a machine. Returns false if the machine obeys a later incarnation, so that
  /// this one is replaced.
  bool hear(const queue_report& report, instant now);

  /// Notes that machines are alive. Returns the answer, or nothing if this incarnation gives none.
  std::optional<process_lease> hear(const process_heartbeat& heard, instant now);

  /// Notes that the master has answered the heartbeat that was sent at `sent`. Returns true if it
  /// is certain now, and was not before, that no other scheduler has taken over.
  bool vouched(instant sent, instant now);

  /// Does not wait for the tasks of a machine, as nobody has its place in a cluster that grows. To
  /// be called first.
  void expect_nothing_of(machine_id machine) { left_.told(machine); }

  /// Books a delivery of jobs.
  void deliver(const job_delivery& what, instant now);

  /// Notes the ends that a job store has acknowledged.
  void confirm(const store_seen& seen, instant now);

  /// Gives silent machines up and repeats messages that may be lost. To be called every heartbeat.
  void look_around(instant now);

  /// Whether it knows enough machines to decide on jobs.
  bool knows_machines(instant now) const;

  /// Sends the messages of the core to machines that are in session, and empties `out`.
  void send(sparrow_outbox& out, instant now);

  /// Returns the messages for machines that are due.
  std::vector<queue_orders> due_orders(instant now);

  /// Returns the messages for job stores that are due.
  auto news(instant now) { return books_.news(now, rules_.heartbeat); }

  bool taking_over() const { return books_.taking_over(); }

  /// What it has to tell job stores.
  const failover_books& books() const { return books_; }

  /// Returns whether it is in session with this incarnation of a machine.
  bool in_session(machine_id machine, incarnation_id incarnation) const {
    return links_.in_session(machine, incarnation);
  }

  /// As in `probing_core`, with the deliveries of each job store.
  task_places places() const;

  bool idle() const { return core_->idle() && !taking_over(); }
  std::vector<group_sample> take_samples(instant now) {
    return core_->take_samples(now, books_.left);
  }

private:
  /// The end of a task, safe once the job stores know of the news up to `news`.
  struct booked_end {
    std::uint64_t news = 0;
    machine_id machine = 0;
    incarnation_id incarnation = 0;
    std::uint64_t number = 0;
  };

  bool may_act(instant now) const;
  bool cannot_be_replaced(instant now) const;
  bool begin_session(const queue_report& report, instant now);
  void give_up(machine_id machine, instant now);
  void book(machine_id machine, const get_task_request& request);
  void book(machine_id machine, const probe_answer& answer);
  void book(machine_id machine, const capacity_notice& notice);
  void book(machine_id machine, const task_start& start);
  void book(machine_id machine, const moved_reservation& moved);
  void book(machine_id machine, const machine_event& ended);
  void book_end(machine_id machine, const machine_event& ended);
  void keep_until_safe(machine_id machine, const machine_event& ended);
  void settle_ends();
  bool have_stopped(instant now) const;
  void take_over(instant now);
  void abandon_withdrawn(instant now);

  sparrow_session_rules rules_;
  instant began_;
  probing_core* core_;
  failover_books books_;
  sparrow_outbox out_;
  machine_links links_;
  left_tasks left_;
  std::optional<instant> vouched_;
  instant looked_{0};            ///< around
  instant stood_still_until_{0}; ///< this scheduler, the last time
  std::deque<booked_end> booked_;
};

} // namespace troupe
