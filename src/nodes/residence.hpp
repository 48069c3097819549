#pragma once

#include "actors/membership.hpp"
#include "actors/recorder.hpp"
#include "actors/run_clock.hpp"
#include "actors/run_record.hpp"
#include "model/catalog.hpp"
#include "nodes/machine_rack.hpp"
#include "nodes/node_messages.hpp"
#include "nodes/post.hpp"
#include "settings/settings.hpp"

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
class residence {
public:
  /// `state` is a directory for what has to survive the process.
  residence(caf::actor_system& system, std::shared_ptr<post> mail, node_identity who,
            std::filesystem::path state);
  ~residence();

  residence(const residence&) = delete;
  residence& operator=(const residence&) = delete;

  /// Called when someone has moved in or out; to be set before the first call of anything else.
  std::function<void()> on_change;

  /// The node has been taken in. Throws `std::runtime_error` if the settings cannot be used.
  void welcome(const node_welcome& as);

  /// Who is there has changed: begins once the cluster has, and empties itself if it is to.
  void learn(const node_list& nodes);

  /// Has a member move to another node; where the master lives.
  void hand_over(const member& who);

  node_report report();
  cluster_report describe(const node_list& nodes) const;

  /// Returns whether no owner, scheduler or running task is left here.
  bool is_empty();

  /// Starts the allocator if it belongs here and the first jobs are due: frameworks that are
  /// offered machines before would decline them, and go without them for some time. To be called
  /// often.
  void start_allocator();

  // -- the workload ---------------------------------------------------------------------------

  /// Starts the workload and its recorder if they belong here and everyone can be reached. Returns
  /// whether they have been started.
  bool start_workload();

  const std::shared_ptr<run_record>& record() const { return record_; }
  const std::optional<run_settings>& settings() const { return settings_; }

  /// Returns whether the cluster has begun, and the workload, which belongs here, has not.
  bool workload_waits() const;

  /// The time of day as the members here count it, in ns since 1970: that of the host's clock as
  /// the cluster began.
  std::int64_t time_of_day() const;

  /// Since the workload was started.
  duration work_time() const;

  /// Takes the last sample.
  void flush();

  /// The results have been written; nothing changes in them any more.
  void work_is_over() { work_over_ = true; }

private:
  address member_address(role what, std::uint32_t number, incarnation life) const {
    return {party::member, what, number, life};
  }

  reach_function reach_from(const address& from);
  survival_rules survival(const roster_entry& as, const roster& now);
  void begin(std::int64_t origin);
  void start_machines();
  void start_master();
  duration lead() const;
  recorder_config recorder_of(const address& as);
  void fill_candidates();
  void start_candidate(role what);
  void promote(const promotion& as);
  caf::strong_actor_ptr start_member(const promotion& as);
  void retired(const roster_entry& who);
  void drain();
  void put(const address& who, caf::strong_actor_ptr handle);
  instant now() const;

  caf::actor_system& system_;
  std::shared_ptr<post> mail_;
  node_identity who_;
  std::filesystem::path state_;
  std::optional<run_settings> settings_;
  std::shared_ptr<const catalog> catalog_;
  std::shared_ptr<run_record> record_ = std::make_shared<run_record>();

  mutable std::mutex mutex_; ///< guards what follows
  machine_numbers machines_;
  std::uint32_t index_ = 0;
  bool begun_ = false;
  bool draining_ = false;
  run_clock clock_{};
  std::int64_t origin_ = 0; ///< of the cluster's time, in ns since 1970
  std::optional<machine_rack> rack_;
  incarnation master_life_ = 0;
  bool resumes_ = false;               ///< the cluster has begun before this node's process
  bool has_allocator_ = false;         ///< here
  std::optional<instant> offers_from_; ///< when it is to start, once there are job stores
  std::map<role, std::uint32_t> candidates_started_;
  std::map<address, caf::strong_actor_ptr> living_; ///< candidates and members but machines
  std::vector<std::uint32_t> machine_nodes_;        ///< by index
  recorder_actor recorder_;
  bool works_ = false;
  std::atomic<bool> work_over_{false};
  instant work_from_{0};
};

} // namespace troupe
