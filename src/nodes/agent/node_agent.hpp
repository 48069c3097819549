#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/recorder/recorder.hpp"
#include "actors/recorder/run_record.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/job_source.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "nodes/agent/cluster_events.hpp"
#include "nodes/agent/emulated_machines.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/execution/machine_history.hpp"
#include "nodes/policies/policy_book.hpp"
#include "nodes/policies/policy_history.hpp"
#include "nodes/routing/message_router.hpp"
#include "nodes/routing/node_messages.hpp"
#include "runtime/cluster/member_factory.hpp"
#include "settings/schema/settings.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The members that live on a node: starts them when the cluster begins, takes the places that the
/// master gives, and tells how they are. May be used by any thread.
class node_agent {
public:
  /// `state` is a directory for data that must survive the process.
  node_agent(caf::actor_system& system, std::shared_ptr<message_router> mail, node_identity who,
             std::filesystem::path state);
  ~node_agent();

  node_agent(const node_agent&) = delete;
  node_agent& operator=(const node_agent&) = delete;

  // To be set before the first call of anything else.

  /// Called when a member has moved in or out.
  std::function<void()> on_change;

  /// Creates the executor of commands, in a cluster with jobs of clients, on a node with machines.
  /// It gets the present time of the cluster.
  std::function<std::shared_ptr<node_executor>(std::function<instant()>)> make_command_executor;

  /// On the node with the master: the number of its time as such, by the lease in the database of
  /// the jobs. 0: there is none, and it counts in a file.
  incarnation_id term = 0;

  /// The jobs of clients, on the node with the workload.
  std::shared_ptr<job_source> jobs_of_clients;

  /// The node has been taken in. Throws `std::runtime_error` if the settings cannot be used, or do
  /// not match the members that run here.
  void welcome(const node_welcome& as);

  /// The nodes or members have changed: begins once the cluster has begun, and drains if the node
  /// is to be drained.
  void learn(const node_list& nodes);

  /// Tells the master that a standby is to take the place of a member, which moves or has ended.
  void hand_over(const member& who);

  node_report report();
  cluster_report describe(const node_list& nodes) const;

  /// On the node with the master: makes the orders that a client asks for, later than `after`.
  policy_reply plan_policies(const policy_request& asked, instant after) const;

  /// Returns whether no owner or scheduler is left here, and no running task, unless these may be
  /// left.
  bool is_empty(bool but_for_tasks);

  /// Has the machines of a trace follow it once the first jobs are due. To be called often.
  void follow_trace();

  /// In a cluster that grows: whether the machine of this node is to take another place and has
  /// been idle for so long that its owner knows all. To be called often.
  bool can_move();

  /// Starts the allocator if it belongs here and the first jobs are due: frameworks that are
  /// offered machines before would decline them, and go without them for some time. To be called
  /// often.
  void start_allocator();

  /// Returns the hosts that are machines and may get tasks now.
  std::vector<machine_description> machines() const;

  /// Returns all hosts that are machines and have not left.
  std::vector<named_machine> hosts() const;

  /// Returns the measurements of the recorder, which belongs to this node. Members are asked for
  /// details until this function has not been called for some time.
  live_report live(const live_request& asked);

  /// Restarts the schedulers here when another keeper of the jobs, or the same one after a restart,
  /// hands the jobs out: they know the jobs of the earlier keeper. Call it often.
  void follow_keeper();

  // -- the workload ---------------------------------------------------------------------------

  /// Starts the workload and its recorder if they belong here and all members can be reached.
  /// Returns whether they have been started.
  bool start_workload();

  const std::shared_ptr<run_record>& record() const { return record_; }
  const std::optional<run_settings>& settings() const { return settings_; }

  /// Notes which nodes and members have come and gone since the last call, by the time of the
  /// workload.
  void look_at_cluster();

  /// All that was noted.
  std::vector<run_event> cluster_history() const;

  /// The changes of policies of whole groups that clients have ordered so far.
  std::vector<policy_change_settings> policy_changes() const;

  /// The most hosts that were machines of the workload at a time.
  std::size_t most_machines() const;

  /// Returns whether the cluster has begun, and the workload, which belongs here, has not.
  bool workload_waits() const;

  /// The time of day as the members here count it, in ns since 1970: by the host's clock at the
  /// beginning of the cluster.
  std::int64_t time_of_day() const;

  /// Since the workload was started.
  duration work_time() const;

  /// Takes the last sample.
  void flush();

  /// The results have been written; nothing changes in them any more.
  void work_is_over() {
    work_over_ = true;
    record_->live->change([](live_state& state) { state.over = true; });
  }

private:
  address member_address(role what, std::uint32_t number, incarnation_id incarnation) const {
    return {party::member, what, number, incarnation};
  }

  void check_same_cluster(const node_welcome& as) const;
  reach_function reach_from(const address& from);
  member_start start_of(const promotion& as);
  std::shared_ptr<const run_begin> windows_begin(std::int64_t origin) const;
  void begin(std::int64_t origin);
  std::shared_ptr<node_executor> executor();
  void start_machines();
  void learn_places(const node_list& nodes);
  void keep_places(const node_list& nodes, const machine_numbers& own);
  void give_up_place();
  void start_master();
  incarnation_id next_number(const char* file) const;
  incarnation_id timed_number(const char* file) const;
  bool follows_work() const;
  duration lead() const;
  instant work_begins(incarnation_id workload) const;
  recorder_config recorder_of(const address& as);
  void fill_standbys();
  void start_standby(role what);
  void promote(const promotion& as);
  void start_member(const promotion& as);
  void retired(const member_entry& who);
  void drain();
  void learn_policies(const std::vector<policy_order>& orders);
  void tell_policies();
  void tell_policy(const member_entry& scheduler, const caf::strong_actor_ptr& handle);
  std::vector<policy_state> policy_states() const;
  void put(const address& who, caf::strong_actor_ptr handle);
  instant now() const;

  caf::actor_system& system_;
  std::shared_ptr<message_router> mail_;
  node_identity who_;
  std::filesystem::path state_;
  std::string kept_places_; ///< the latest that was written down
  std::optional<run_settings> settings_;
  std::string settings_text_; ///< as the master has sent them
  std::shared_ptr<const catalog> catalog_;
  std::optional<member_factory> members_; ///< once the cluster has begun
  capacity_schedules schedules_;          ///< of the machines
  std::shared_ptr<run_record> record_ = std::make_shared<run_record>();

  mutable std::mutex mutex_; ///< guards the following members
  machine_numbers machines_;
  std::uint32_t index_ = 0;
  bool begun_ = false;
  bool draining_ = false;
  std::chrono::steady_clock::time_point drains_since_{};
  run_clock clock_{};
  std::int64_t origin_ = 0; ///< of the cluster's time, in ns since 1970
  const std::int64_t made_at_ = utc_ns();
  std::optional<emulated_machines> emulated_;
  std::shared_ptr<node_executor> executor_; ///< of the machines
  bool moves_ = false;                      ///< the machine is to take another place
  std::optional<std::chrono::steady_clock::time_point> idle_since_; ///< while it is to
  incarnation_id master_incarnation_ = 0;
  bool resumes_ = false;               ///< the cluster has begun before this node's process
  bool has_allocator_ = false;         ///< here
  std::optional<instant> offers_from_; ///< when it is to start, once there are job stores
  incarnation_id keeper_ = 0;          ///< of the jobs: the incarnation of its workload
  std::map<role, std::uint32_t> standbys_started_;
  std::map<address, caf::strong_actor_ptr> living_; ///< standbys and members but machines
  std::vector<std::uint32_t> machine_nodes_;        ///< by index
  std::size_t most_machines_ = 0;                   ///< of these, since the workload began
  recorder_actor recorder_;
  std::vector<node_entry> nodes_;
  /// Shared with the requests that wait for answers of schedulers.
  std::shared_ptr<policy_book> policies_ = std::make_shared<policy_book>();
  policy_history policy_history_;
  cluster_events events_;
  std::atomic<std::chrono::steady_clock::time_point> watched_until_{};
  bool works_ = false;
  std::atomic<bool> work_over_{false};
  instant work_from_{0};
};

} // namespace troupe
