#pragma once

#include "actors/candidate.hpp"
#include "actors/machine/machine.hpp"
#include "actors/machine_usage.hpp"
#include "actors/master.hpp"
#include "actors/recorder.hpp"
#include "model/fault.hpp"
#include "runtime/network.hpp"
#include "runtime/wire_members.hpp"
#include "runtime/wiring.hpp"

#include <caf/fwd.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

class virtual_coordinator;

/// A cluster in virtual time whose members can die and be started again. It plays the parts that
/// belong to nobody in the cluster: it starts processes, ends and freezes them, and knows where
/// everyone can be reached.
class stage {
public:
  /// Returns why the members of such a cluster cannot fail, or nothing if they can.
  static std::string why_not(const run_settings& settings);

  /// `faults` are those of the network; others are called for with `begin` and `end`. `wrap` may
  /// put something between the machines and what they run tasks with.
  stage(
    caf::actor_system& system, const run_settings& settings, const wiring_options& options,
    const std::vector<fault>& faults,
    const std::function<std::shared_ptr<node_executor>(std::shared_ptr<node_executor>)>& wrap = {});
  ~stage();

  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  /// Starts the cluster, and what records what it does if that is wanted.
  void start(bool with_recorder);

  /// Kills or freezes a member. Returns false if it is dead.
  bool begin(const fault& f);

  /// Starts it again, or thaws it. Returns false if it lives, and moves.
  bool end(const fault& f);

  const std::shared_ptr<const catalog>& machines() const { return catalog_; }
  const recorder_actor& recorder() const { return recorder_; }

  /// Someone who was started.
  struct process {
    role what = role::machine;
    std::uint32_t number = 0;
    incarnation number_of_life = 0;
    caf::strong_actor_ptr handle;
    bool dead = false;
    bool frozen = false;
  };

  /// Everyone who was started, by role and number, in the order of their lives. Of those that are
  /// dead the latest ones are kept: nobody talks to the others any more.
  const std::map<std::pair<role, std::uint32_t>, std::vector<process>>& lives() const {
    return lives_;
  }

  /// Returns the latest life of a member, or null.
  const process* latest(role what, std::uint32_t number) const;

private:
  void add(role what, std::uint32_t number, incarnation life, caf::strong_actor_ptr handle);
  void forget_oldest(std::vector<process>& lives);
  caf::strong_actor_ptr reach(const std::string& from, role what, std::uint32_t number,
                              incarnation life);
  static std::string name_of(role what, std::uint32_t number, incarnation life);
  reach_function reach_from(std::string name);
  survival_rules survival(role what, std::uint32_t number, incarnation life, const roster& now);
  void measure_queues();
  void spawn_machine(machine_id m, incarnation life);
  caf::strong_actor_ptr spawn_queue(machine_id m, incarnation life);
  caf::strong_actor_ptr spawn_host(machine_id m, incarnation life);
  void spawn_owner(const promotion& as);
  void spawn_scheduler(const promotion& as);
  void spawn_candidate(role what);
  void spawn_master(incarnation life);
  void spawn_allocator(incarnation life);
  void spawn_workloads();
  void spawn_recorder();
  void promote(const promotion& as);

  caf::actor_system& system_;
  virtual_coordinator& time_;
  const run_settings& settings_;
  wiring_options options_;
  bool probing_; ///< schedulers probe machines, and there are no owners
  std::shared_ptr<const catalog> catalog_;
  std::vector<std::shared_ptr<job_source>> sources_;
  std::shared_ptr<node_executor> runs_;
  std::shared_ptr<const machine_config> machine_config_;
  std::shared_ptr<network> net_;
  std::shared_ptr<network> machine_net_;
  std::shared_ptr<std::vector<task_host_actor>> machines_;
  std::shared_ptr<queue_meter> meter_;                 ///< where machines have queues
  std::vector<std::shared_ptr<machine_usage>> usages_; ///< likewise, by machine
  node_actor node_;
  recorder_actor recorder_;
  std::vector<candidate_actor> waiting_; ///< all candidates, those that have been promoted as well
  std::map<role, std::uint32_t> candidates_; ///< how many were started
  std::map<std::pair<role, std::uint32_t>, std::vector<process>> lives_;
  /// By whom they lead to, then by the name of whom they come from.
  std::map<caf::actor_id, std::map<std::string, caf::strong_actor_ptr>> links_;
};

} // namespace troupe
