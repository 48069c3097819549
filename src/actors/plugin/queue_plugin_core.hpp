#pragma once

#include "actors/plugin/queues/queue_plugin_parts.hpp"
#include "actors/sparrow/probing_core.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// What stands between a scheduler from a plugin of the protocol `queues` and its sessions with
/// machines, if failures are watched. The plugin sees a cluster in which machines only leave,
/// return and change, and no message is lost.
///
/// - A machine that is given up leaves: the plugin is told that the tasks which had started there
///   are lost, and then that the machine has nothing (a `capacity_notice`). When the machine is
///   back, the plugin is told its capacity. Messages that the plugin sends to a machine before it
///   has received the notice of its absence are void, also if the machine is back by then.
/// - The plugin answers each notice with a `capacity_heard` before it sends anything else. From
///   then on the tasks that it has sent there, and that have not started and do not fit, are
///   queued with it again.
/// - A machine that is to be drained has nothing for the plugin when the tasks that were sent to it
///   have started. Until then it gets nothing more, and the plugin does not notice.
/// - A reservation that another machine takes over stays where it was for the plugin, until that
///   machine asks for its task.
/// - A later incarnation of the scheduler begins with a new actor of the plugin. It is given the
///   open tasks of the jobs that are left (`plugin_jobs`), and never learns of those that run.
/// - A task of a job that spreads is not sent to a machine beside another one that the plugin does
///   not know to be of it. It waits here until the other one has ended; for the plugin it waits in
///   the machine's queue.
///
/// This class hands each call to the classes that the member consists of (`queue_plugin_parts`).
class queue_plugin_core final : public probing_core {
public:
  using plugin_message = queue_plugin_outbox::message;

  /// `machines` must outlive the core. `records` are null if nothing is recorded.
  queue_plugin_core(const queue_plugin_rules& rules, const catalog& machines,
                    std::unique_ptr<plugin_records> records = nullptr)
    : parts_(rules, machines, std::move(records)) {}

  // -- the plugin ---------------------------------------------------------------------------------

  /// Enough machines are known: from now on the plugin is told of absent machines, and of jobs.
  /// Later calls change nothing.
  void begin() { parts_.notices.begin(); }

  /// Takes note of machines that have joined a cluster that grows: the plugin is told their
  /// capacity again, so that it looks at their attributes.
  void catch_up() { parts_.changes.catch_up(); }

  /// Whether messages that the plugin sends to a machine now are void.
  bool is_void(machine_id machine) const { return parts_.notices.is_void(machine); }

  /// Returns the fault of a message of the plugin to a machine, unless it is void; "" if it has
  /// none.
  template <class Message>
  std::string fault_of(machine_id machine, const Message& what) const {
    return parts_.faults.of(machine, what);
  }

  /// Handles a message of the plugin to a machine. It must have no fault.
  void order(machine_id machine, const queue_entry& entry, instant now, sparrow_outbox& out) {
    parts_.orders.send(machine, entry, now, out);
  }
  void order(machine_id machine, const task_assignment& answer, instant now, sparrow_outbox& out) {
    parts_.orders.send(machine, answer, now, out);
  }
  void order(machine_id machine, const cancellation& what, instant, sparrow_outbox& out) {
    parts_.orders.send(machine, what, out);
  }
  void order(machine_id machine, const queue_probe& probe, instant, sparrow_outbox& out) {
    parts_.orders.send(machine, probe, out);
  }
  void order(machine_id machine, const capacity_heard& what, instant, sparrow_outbox& out) {
    parts_.changes.hear(machine, what.number, out);
  }

  /// The plugin counts no task of a group of jobs in its queue, and it counts `given_up` more tasks
  /// as abandoned than this core. So it has given up the tasks that are queued with it, if these
  /// are not more. Returns their number. Call it only if the plugin has received nothing since it
  /// counted.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now,
                               sparrow_outbox& out) {
    return parts_.runs.abandon_queued(group, given_up, now, out);
  }

  /// Takes the plugin's counts since the last sample.
  void note_counted(std::vector<group_sample> samples) { counted_ = std::move(samples); }

  /// Returns the messages for the plugin, in order; none before the begin.
  std::vector<plugin_message> take_told();

  /// Counts the messages to the plugin, and its messages to machines.
  std::uint64_t told() const { return parts_.told.count(); }
  std::uint64_t orders() const { return parts_.orders.count(); }

  const plugin_jobs& jobs() const { return parts_.books.jobs; }

  // -- sessions with machines ---------------------------------------------------------------------

  void watch_failures(std::uint32_t retries, instant begin) override;
  void submit(std::vector<job> jobs) override { parts_.intake.submit(std::move(jobs)); }
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) override {
    parts_.intake.resume(left, runs_on);
  }
  void restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice) override {
    parts_.changes.restore(machine, out, notice);
  }
  void note_capacity(machine_id machine, const capacity_notice* notice,
                     sparrow_outbox& out) override {
    parts_.changes.note_capacity(machine, notice, out);
  }
  void set_capacity(const capacity_notice& what, sparrow_outbox& out) override {
    parts_.changes.set_capacity(what, out);
  }
  void retire(machine_id machine, sparrow_outbox&) override { parts_.changes.retire(machine); }
  void remove(machine_id machine, instant now, sparrow_outbox& out) override;
  void asked(const get_task_request& request, sparrow_outbox& out) override {
    parts_.moves.asked(request, out);
  }
  void answer(const probe_answer& answer, sparrow_outbox&) override { parts_.told.tell(answer); }
  void book(const task_news& news, sparrow_outbox& out) override;
  void move(const moved_reservation& what, machine_id from, sparrow_outbox& out) override {
    parts_.moves.move(what, from, out);
  }

  bool idle() const override { return jobs().empty(); }
  task_counts counts() const override { return counters().total(); }
  task_places places() const override;
  std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left) override {
    return parts_.books.take_samples(std::exchange(counted_, {}), left, now);
  }
  std::uint64_t unknown_news() const override { return counters().duplicate_grants(); }
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const override;
  bool may_run(const task_id& task, machine_id machine) const override {
    return parts_.sent.has(task, machine);
  }
  plugin_records* records() { return parts_.records.get(); }
  const plugin_records* records() const { return parts_.records.get(); }
  const record_outbox* recording() const override {
    return parts_.records ? &parts_.records->outbox() : nullptr;
  }
  const group_counters& counters() const override { return parts_.books.counters(); }

private:
  /// In builds with TROUPE_CHECKS: throws `std::logic_error` if a task is in no place, or in two.
  void check_balance() const;

  queue_plugin_parts parts_;
  std::vector<group_sample> counted_; ///< by the plugin, since the last sample
};

} // namespace troupe
