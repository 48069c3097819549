#pragma once

#include "actors/plugin/plugin_fixture.hpp"
#include "actors/plugin/queues/queue_plugin_parts.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <utility>
#include <variant>
#include <vector>

/// The parts of a member of a plugin of the protocol `queues`, without the core around them.
namespace troupe::testing {

/// The parts of scheduler 3, whose plugin has begun, on four machines of two slots that are there.
struct queue_fixture {
  explicit queue_fixture(bool grows = false)
    : machines(grows ? growing_catalog(4, 2, 2) : even_catalog(4, 2, 2)) {
    for (machine_id m = 0; m < 4; ++m)
      parts.notices.tell(m, machines.machine(m).capacity);
    parts.notices.begin();
  }

  void submit(job j) { parts.intake.submit({std::move(j)}); }

  /// Takes in a job of an earlier incarnation, some of whose tasks run. Returns the number of the
  /// job under which the plugin knows the other ones.
  job_id resume(const job& j, const std::map<task_id, machine_id>& runs_on) {
    parts.intake.resume({j}, runs_on);
    return submitted().at(0).id;
  }

  queue_entry entry(const task_id& task, entry_kind kind = entry_kind::task) const {
    queue_entry e{kind, {}, 0, 0, 0, 0};
    e.order.task = task;
    e.order.launcher = 3;
    e.order.demand = one_slot;
    return e;
  }

  task_assignment assignment(const task_id& task, std::uint32_t group = 0) const {
    return {false, group, entry(task).order};
  }

  /// The plugin sends a task to a machine.
  void send(const task_id& seen, machine_id machine) {
    parts.orders.send(machine, entry(seen), at_1s, out);
  }

  /// The same; it starts at once. The plugin knows it by the number of the cluster.
  void run(const task_id& task, machine_id machine) {
    send(task, machine);
    parts.runs.start({task, machine, at_1s});
    parts.told.take();
  }

  void end(const task_id& task, machine_id machine, task_outcome how = task_outcome::finished) {
    parts.runs.end({task, machine, how, at_1s}, out);
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

  std::vector<job> submitted() {
    std::vector<job> all;
    for (const auto& s : heard<submission>())
      all.insert(all.end(), s.jobs.begin(), s.jobs.end());
    return all;
  }

  std::vector<task_end> ends() {
    std::vector<task_end> all;
    for (const auto& n : heard<task_news>())
      all.insert(all.end(), n.ended.begin(), n.ended.end());
    return all;
  }

  /// The entries for a machine since the last call.
  std::vector<queue_entry> entries_to(machine_id machine) {
    std::vector<queue_entry> all;
    for (const auto& [m, e] : out.entries)
      if (m == machine)
        all.push_back(e);
    out.clear();
    return all;
  }

  task_counts counts() const { return parts.books.counters().total(); }

  catalog machines;
  queue_plugin_parts parts{{3}, machines, nullptr};
  sparrow_outbox out;
};

} // namespace troupe::testing
