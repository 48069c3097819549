#pragma once

#include "actors/plugin/plugin_member_core.hpp"
#include "policies/policy_trial.hpp"

#include <chrono>
#include <utility>
#include <variant>
#include <vector>

namespace troupe::test {

inline constexpr instant at_1s{std::chrono::seconds{1}};
inline constexpr scheduler_id own_id = 3;
inline constexpr incarnation_id incarnation = 2;

inline job job_of(std::uint32_t tasks, std::uint32_t later_tasks = 0) {
  job j;
  j.id = 1;
  j.groups.push_back({tasks, resources::of_slots(1), {std::chrono::seconds{1}}});
  if (later_tasks > 0)
    j.groups.push_back(
      {later_tasks, resources::of_slots(1), {std::chrono::seconds{2}}, {}, 0, {0}});
  return j;
}

inline placement on(machine_id machine, const task_id& task) {
  placement p;
  p.task = task;
  p.machine = machine;
  p.demand = resources::of_slots(1);
  return p;
}

/// Four machines of two slots in two partitions, each with an owner.
struct plugin_member_stage {
  catalog machines = slot_machines(4, 2, 2);
  plugin_member_core core;
  std::uint64_t deliveries = 0;
  std::vector<plugin_member_core::plugin_message> told;

  explicit plugin_member_stage(incarnation_id as = 1, bool own_tasks = false)
    : core({own_id, 0, as, {0}, 2, std::chrono::seconds{1}, own_tasks}, machines, {0, 1},
           instant{0}) {}

  void deliver(std::vector<kept_job> jobs, incarnation_id to, bool resumed = false) {
    core.deliver({0, to, ++deliveries, resumed, std::move(jobs)});
  }

  /// Begins the first session with both owners.
  void begin(std::vector<kept_job> jobs) {
    for (owner_id o = 0; o < 2; ++o)
      core.reconcile({o, session_base(1, 1)}, at_1s);
    deliver(std::move(jobs), 1);
    listen();
  }

  /// Begins a session with an owner, whose incarnation is `of`, by what it states.
  void state(owner_id o, incarnation_id of, incarnation_id to, std::vector<task_place> running,
             std::vector<task_end> ended = {}, std::vector<machine_id> unknown = {}) {
    owner_statement s{o, session_base(of, to), std::move(running), std::move(ended)};
    s.unknown = std::move(unknown);
    core.reconcile(s, at_1s);
    listen();
  }

  void listen() { told = core.take_told(); }

  /// Returns the messages of one type among those that were told last.
  template <class Message>
  std::vector<Message> heard() const {
    std::vector<Message> all;
    for (const auto& m : told)
      if (const auto* one = std::get_if<Message>(&m))
        all.push_back(*one);
    return all;
  }

  std::vector<task_end> ends() const {
    std::vector<task_end> all;
    for (const auto& r : heard<task_report>())
      all.insert(all.end(), r.ends.begin(), r.ends.end());
    return all;
  }

  std::vector<job> submitted() const {
    std::vector<job> all;
    for (const auto& s : heard<submission>())
      all.insert(all.end(), s.jobs.begin(), s.jobs.end());
    return all;
  }

  void commit(owner_id o, commit_id id, std::vector<placement> placements,
              commit_mode mode = commit_mode::each) {
    commit_request r;
    r.scheduler = own_id;
    r.id = id;
    r.placements = std::move(placements);
    r.mode = mode;
    core.commit(o, std::move(r), at_1s);
    listen();
  }

  /// Has an owner grant a commit of the first incarnation.
  void grant(owner_id o, commit_id id, incarnation_id as = 1) {
    core.answer({o, (commit_id{as} << 40) + id, {}}, at_1s);
    listen();
  }

  std::uint64_t over() const { return core.counts().finished + core.counts().lost; }
};

inline task_end end_of(const task_id& task, machine_id machine,
                       task_outcome how = task_outcome::finished) {
  return {task, machine, how, at_1s};
}

} // namespace troupe::test
