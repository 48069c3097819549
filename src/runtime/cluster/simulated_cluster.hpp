#pragma once

#include "actors/common/standby.hpp"
#include "actors/machine/executor.hpp"
#include "actors/recorder/recorder.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "model/protocol/fault.hpp"
#include "runtime/cluster/assembly.hpp"
#include "runtime/cluster/machine_factory.hpp"
#include "runtime/cluster/member_factory.hpp"
#include "runtime/network/network.hpp"

#include <caf/fwd.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

class virtual_coordinator;

/// A cluster in virtual time whose members can die and be started again. It does the work that the
/// environment does for a real cluster: it starts, ends and freezes processes, and knows the handle
/// of each member.
class simulated_cluster {
public:
  /// `faults` are the failures of the network; `begin` and `end` cause the others. `wrap` may put
  /// an object between the machines and their executor.
  simulated_cluster(
    caf::actor_system& system, const run_settings& settings, const assembly_options& options,
    const std::vector<fault>& faults,
    const std::function<std::shared_ptr<node_executor>(std::shared_ptr<node_executor>)>& wrap = {});
  ~simulated_cluster();

  simulated_cluster(const simulated_cluster&) = delete;
  simulated_cluster& operator=(const simulated_cluster&) = delete;

  /// Starts the cluster, and its recorder if `with_recorder`.
  void start(bool with_recorder);

  /// Kills or freezes a member, or lets a machine take no more tasks. Returns whether that changes
  /// something: it does not if the member is dead, or if an earlier failure has done the same.
  bool begin(const fault& f);

  /// Starts the process that the failure has hit again, or thaws it, unless another failure of the
  /// same kind that has hit the same process is still to end. A machine that was drained is killed
  /// first. Returns whether that changes something.
  bool end(const fault& f);

  const std::shared_ptr<const catalog>& machines() const { return catalog_; }

  /// Returns the capacity of a machine at a time, by its trace if there is one.
  resources capacity_of(machine_id m, instant at) const;

  const recorder_actor& recorder() const { return recorder_; }

  /// An incarnation of a member.
  struct process {
    role what = role::machine;
    std::uint32_t number = 0;
    incarnation_id number_of_incarnation = 0;
    caf::strong_actor_ptr handle;
    bool dead = false;
    bool frozen = false;
    bool drained = false;
  };

  /// The incarnations of all members by role and number, the earliest first. Of dead ones only the
  /// latest are kept: no member sends messages to the others any more.
  const std::map<std::pair<role, std::uint32_t>, std::vector<process>>& incarnations() const {
    return incarnations_;
  }

  /// The takeovers so far: each place that a standby filled, by time.
  const std::vector<run_event>& takeovers() const { return takeovers_; }

  /// Returns the latest incarnation of a member, or null.
  const process* latest(role what, std::uint32_t number) const;

private:
  /// A failure that has hit a process and is not over.
  struct hit {
    fault_kind kind = fault_kind::kill;
    instant from{0};
    instant to{0};
    incarnation_id victim = 0;
  };

  static bool is_hit(const std::vector<hit>& open, fault_kind by, incarnation_id one);
  void add(role what, std::uint32_t number, incarnation_id incarnation,
           caf::strong_actor_ptr handle);
  void forget_oldest(std::vector<process>& incarnations);
  /// The name of members that send messages, and their links.
  struct sender {
    std::string name;
    bool is_machine = false;
    std::unordered_map<caf::actor_id, caf::strong_actor_ptr> links{}; ///< by receiver
  };

  caf::strong_actor_ptr reach(sender& from, role what, std::uint32_t number,
                              incarnation_id incarnation);
  static std::string name_of(role what, std::uint32_t number, incarnation_id incarnation);
  reach_function reach_from(const std::string& name);
  member_start start_of(const promotion& as);
  member_start start_of(role what, std::uint32_t number, incarnation_id incarnation);
  void make_machines();
  void make_factories();
  void spawn_machine(machine_id m, incarnation_id incarnation);
  void kill(process& victim);
  void spawn_member(const member_start& start);
  void spawn_standby(role what);
  void spawn_workloads();
  void spawn_recorder();

  caf::actor_system& system_;
  virtual_coordinator& time_;
  const run_settings& settings_;
  assembly_options options_;
  bool probing_; ///< some schedulers probe machines, which have queues
  std::shared_ptr<const catalog> catalog_;
  capacity_schedules schedules_;
  std::vector<std::shared_ptr<job_source>> sources_;
  std::shared_ptr<node_executor> runs_;
  std::shared_ptr<network> net_;
  std::shared_ptr<network> machine_net_;
  std::optional<member_factory> members_;
  std::optional<machine_factory> machines_;
  node_actor node_;
  recorder_actor recorder_;
  std::vector<standby_actor> waiting_;     ///< all standbys, those that have been promoted as well
  std::map<role, std::uint32_t> standbys_; ///< how many were started
  std::map<std::pair<role, std::uint32_t>, std::vector<process>> incarnations_;
  std::map<std::pair<role, std::uint32_t>, std::vector<hit>> hits_;
  std::vector<run_event> takeovers_;
  std::map<std::string, sender> senders_; ///< by name; none is ever removed
};

} // namespace troupe
