#pragma once

#include "actors/plugin/plugin_books.hpp"
#include "actors/plugin/plugin_records.hpp"
#include "actors/protocol/messages.hpp"
#include "actors/sparrow/probing_core.hpp"
#include "model/cluster/catalog.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

struct queue_plugin_rules {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  instant warmup{0};       ///< jobs submitted earlier are left out of the times of jobs
};

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
class queue_plugin_core final : public probing_core {
public:
  using plugin_message =
    std::variant<submission, get_task_request, probe_answer, task_news, capacity_notice>;

  /// `machines` must outlive the core. `records` are null if nothing is recorded.
  queue_plugin_core(const queue_plugin_rules& rules, const catalog& machines,
                    std::unique_ptr<plugin_records> records = nullptr);

  // -- the plugin ---------------------------------------------------------------------------------

  /// Enough machines are known: from now on the plugin is told of absent machines, and of jobs.
  /// Later calls change nothing.
  void begin();

  /// Whether messages that the plugin sends to a machine now are void.
  bool is_void(machine_id machine) const;

  /// Returns the fault of a message of the plugin to a machine, unless it is void; "" if it has
  /// none.
  std::string fault_of(machine_id machine, const queue_entry& entry) const;
  std::string fault_of(machine_id machine, const task_assignment& answer) const;
  std::string fault_of(machine_id machine, const cancellation& what) const;
  std::string fault_of(machine_id machine, const queue_probe& probe) const;
  std::string fault_of(machine_id machine, const capacity_heard& what) const;

  /// Handles a message of the plugin to a machine. It must have no fault.
  void order(machine_id machine, const queue_entry& entry, instant now, sparrow_outbox& out);
  void order(machine_id machine, const task_assignment& answer, instant now, sparrow_outbox& out);
  void order(machine_id machine, const cancellation& what, instant now, sparrow_outbox& out);
  void order(machine_id machine, const queue_probe& probe, instant now, sparrow_outbox& out);
  void order(machine_id machine, const capacity_heard& what, instant now, sparrow_outbox& out);

  /// The plugin counts no task of a group of jobs in its queue, and it counts `given_up` more tasks
  /// as abandoned than this core. So it has given up the tasks that are queued with it, if these
  /// are not more. Returns their number. Call it only if the plugin has received nothing since it
  /// counted.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now,
                               sparrow_outbox& out);

  /// Takes the plugin's counts since the last sample.
  void note_counted(std::vector<group_sample> samples) { counted_ = std::move(samples); }

  /// Returns the messages for the plugin, in order; none before the begin.
  std::vector<plugin_message> take_told();

  /// Counts the messages to the plugin, and its messages to machines.
  std::uint64_t told() const { return told_count_; }
  std::uint64_t orders() const { return order_count_; }

  const plugin_jobs& jobs() const { return books_.jobs; }

  // -- sessions with machines ---------------------------------------------------------------------

  void watch_failures(std::uint32_t retries, instant begin) override;
  void submit(std::vector<job> jobs) override;
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) override;
  void restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice) override;
  void note_capacity(machine_id machine, const capacity_notice* notice,
                     sparrow_outbox& out) override;
  void set_capacity(const capacity_notice& what, sparrow_outbox& out) override;
  void retire(machine_id machine, sparrow_outbox& out) override;
  void remove(machine_id machine, instant now, sparrow_outbox& out) override;
  void asked(const get_task_request& request, sparrow_outbox& out) override;
  void answer(const probe_answer& answer, sparrow_outbox& out) override;
  void book(const task_news& news, sparrow_outbox& out) override;
  void move(const moved_reservation& what, machine_id from, sparrow_outbox& out) override;

  bool idle() const override { return books_.jobs.empty(); }
  task_counts counts() const override { return books_.counters().total(); }
  task_places places() const override;
  std::vector<group_sample> take_samples(instant now, std::span<const kept_job> left) override;
  std::uint64_t unknown_news() const override { return books_.counters().duplicate_grants(); }
  void visit_running(const std::function<void(const task_id&, machine_id)>& tell) const override;
  bool may_run(const task_id& task, machine_id machine) const override;
  plugin_records* records() { return records_.get(); }
  const plugin_records* records() const { return records_.get(); }
  const record_outbox* recording() const override {
    return records_ ? &records_->outbox() : nullptr;
  }
  const group_counters& counters() const override { return books_.counters(); }

private:
  using place = plugin_jobs::place;

  /// What the plugin knows of a machine.
  struct machine_note {
    resources told;  ///< that the machine has, by the latest notice
    resources heard; ///< by the latest notice that it has heard
    std::uint32_t notices = 0;
    std::uint32_t notices_heard = 0;
    std::uint32_t valid_from = 0; ///< its messages before it knew this notice are void
    bool leaves = false;          ///< it is to be drained
  };

  /// A notice that the plugin has not heard.
  struct told_notice {
    std::uint32_t number = 0;
    resources capacity;
    std::uint32_t of_machine = 0; ///< the machine's number of it; 0: the machine needs no answer
  };

  /// A reservation of the plugin, as the machine knows it.
  struct reservation {
    job_id job = 0;
    std::uint32_t group = 0;
  };

  struct open_request {
    reservation of;
    std::uint32_t count = 0;
  };
  using request_key = std::tuple<machine_id, job_id, std::uint32_t>; ///< as the plugin knows it

  struct stolen_reservation {
    reservation of;
    machine_id placed_on = 0;
    std::int32_t length_met = 0;
  };

  void tell(plugin_message what);
  void tell_start(const task_id& seen, machine_id machine, instant at);
  void tell_end(const plugin_jobs::task_record& was, machine_id machine, task_outcome outcome,
                instant at);
  void tell_capacity(machine_id machine, const resources& capacity, std::uint32_t of_machine = 0);
  void submit_to_plugin(std::vector<job> jobs);

  std::optional<reservation> named(job_id seen, std::uint32_t group) const;
  std::optional<reservation> seen(const reservation& what) const;
  const task_group& group_of(const reservation& what) const;
  duration estimate_of(job_id job) const;
  bool takes(machine_id machine, const resources& demand) const;
  std::string fault_of_task(const launch_order& order) const;

  void send(const task_id& task, machine_id machine, instant now);
  void take_back(const task_id& task, machine_id machine);
  void leave(const task_id& task, machine_id machine);
  void hear(machine_id machine, const told_notice& notice, sparrow_outbox& out);
  void give_back_stolen(machine_id machine, const resources& capacity, sparrow_outbox& out);
  void note_drained(machine_id machine);
  bool take_stolen(const get_task_request& request);
  void place_again(const stolen_reservation& what, machine_id on, sparrow_outbox& out);
  void start(const task_start& what);
  void end(const task_end& what, sparrow_outbox& out);
  void stop(const task_id& task, const task_end& how, sparrow_outbox& out);
  void close(const task_id& task, instant at, task_fate fate, sparrow_outbox& out);
  bool may_retry(const task_id& task) { return retries_ == 0 || ++losses_[task] <= retries_; }
  void check_balance() const;

  queue_plugin_rules rules_;
  const catalog* machines_;
  plugin_books books_;
  std::unique_ptr<plugin_records> records_; ///< null: none are kept
  bool begun_ = false;
  std::uint32_t retries_ = 0;
  std::map<task_id, std::uint32_t> losses_;         ///< of tasks that are not over
  std::vector<machine_note> notes_;                 ///< by machine
  std::map<machine_id, std::set<task_id>> on_;      ///< tasks that were sent to it, or run there
  std::map<machine_id, std::set<task_id>> drained_; ///< tasks that have still to start there
  std::map<machine_id, std::deque<told_notice>> unheard_;
  std::map<request_key, open_request> requests_;
  std::map<machine_id, std::vector<stolen_reservation>> stolen_; ///< by where they are
  std::vector<group_sample> counted_;
  std::vector<plugin_message> told_;
  std::uint64_t told_count_ = 0;
  std::uint64_t order_count_ = 0;
};

} // namespace troupe
