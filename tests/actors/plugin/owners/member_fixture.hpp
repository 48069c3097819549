#pragma once

#include "actors/plugin/owners/plugin_member_parts.hpp"
#include "actors/plugin/plugin_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <utility>
#include <variant>
#include <vector>

/// The parts of a member of a plugin of the protocol `owners`, without the core around them.
namespace troupe::testing {

/// The parts of scheduler 3, which retries a task twice. Machines 0 and 1, of two slots, belong to
/// owner 0; machines 2 and 3 to owner 1.
struct member_fixture {
  explicit member_fixture(bool own_tasks = false, incarnation_id as = 1, bool grows = false)
    : machines(grows ? growing_catalog(4, 2, 2) : even_catalog(4, 2, 2)),
      parts({3, 0, as, {0}, 2, std::chrono::seconds{1}, own_tasks}, machines, {0, 1}, instant{0},
            nullptr) {}

  void submit(job j) { parts.intake.submit({{std::move(j)}}); }

  /// Takes in a job of one earlier incarnation, some of whose tasks run.
  void resume(const job& j, const std::vector<task_place>& running) {
    for (const auto& r : running)
      parts.failover.running[r.task] = r.machine;
    parts.intake.resume({j});
  }

  static placement on(machine_id machine, const task_id& task) {
    return slot_placement(task.job, task.index, machine);
  }

  static commit_request request(commit_id id, std::vector<placement> placements,
                                commit_mode mode = commit_mode::each) {
    commit_request r;
    r.scheduler = 3;
    r.id = id;
    r.placements = std::move(placements);
    r.mode = mode;
    return r;
  }

  /// Has a task, which the plugin knows by the number of the cluster, run on a machine.
  void run(const task_id& task, machine_id machine) {
    const auto owner = parts.setup.owner_of_machine(machine);
    parts.orders.commit(owner, request(++last_, {on(machine, task)}), at_1s);
    parts.answers.answer({owner, parts.commits.number_of(owner, last_), {}}, at_1s);
    clear();
  }

  /// The messages for the plugin since the last call, of one type.
  template <class Message>
  std::vector<Message> heard() {
    std::vector<Message> all;
    for (const auto& m : parts.told.take())
      if (const auto* one = std::get_if<Message>(&m))
        all.push_back(*one);
    return all;
  }

  /// The ends that the plugin is told of since the last call.
  std::vector<task_end> ends() {
    std::vector<task_end> all;
    for (const auto& r : heard<task_report>())
      all.insert(all.end(), r.ends.begin(), r.ends.end());
    return all;
  }

  std::vector<job> submitted() {
    std::vector<job> all;
    for (const auto& s : heard<submission>())
      all.insert(all.end(), s.jobs.begin(), s.jobs.end());
    return all;
  }

  /// Drops the messages for the plugin and for owners so far.
  void clear() {
    parts.told.take();
    parts.sender.take();
  }

  task_counts counts() const { return parts.books.counters().total(); }

  catalog machines;
  plugin_member_parts parts;

private:
  commit_id last_ = 100;
};

} // namespace troupe::testing
