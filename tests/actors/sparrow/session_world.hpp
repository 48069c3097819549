#pragma once

#include "actors/sparrow/sparrow_core.hpp"
#include "actors/sparrow/sparrow_session.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace troupe::testing {

using namespace std::chrono_literals;

inline constexpr scheduler_id own_id = 3;

inline sparrow_session_rules rules_of(incarnation_id incarnation, std::uint32_t retries = 0) {
  return {incarnation, {0},    retries, 500ms,
          1500ms,      1500ms, 10s,     incarnation > 1 ? duration{8s} : duration{0s}};
}

/// A scheduler, in some incarnation, on four machines with one slot.
struct session_world {
  explicit session_world(incarnation_id incarnation = 1, std::uint32_t retries = 0)
    : session(rules_of(incarnation, retries), own_id, 4, core, 0s), incarnation_(incarnation) {}

  queue_report report(machine_id m, instant sent, incarnation_id incarnation = 1) {
    queue_report b{m, incarnation, own_id, incarnation_, sent};
    b.orders_seen = orders[m];
    b.first_event = events[m] + 1;
    return b;
  }

  queue_report joining(machine_id m, instant sent, incarnation_id incarnation = 1) {
    auto b = report(m, sent, incarnation);
    b.orders_seen = orders[m] = 0;
    b.joins = true;
    return b;
  }

  void join_all(instant now, machine_id machines_ = 4) {
    session.vouched(now, now);
    for (machine_id m = 0; m < machines_; ++m)
      session.hear(joining(m, now), now);
    session.due_orders(now);
  }

  void deliver(job j, instant now) {
    job_delivery d{0, incarnation_, ++deliveries, false, {}};
    d.jobs.push_back({std::move(j), {}});
    session.deliver(d, now);
    decide(now);
  }

  void decide(instant now) {
    sparrow_outbox out;
    while (session.knows_machines(now) && core.decide(now)) {
      core.place(out);
      session.send(out, now);
    }
  }

  static get_task_request request(job_id job, machine_id m) { return {job, 0, m, m, -1}; }

  static machine_event end(const task_id& task, machine_id m, instant at) {
    return {1, own_id, {task, m, task_outcome::finished, at}};
  }

  /// The machine tells of something that has happened.
  void tell(machine_id m, queue_event what, instant now) {
    auto b = report(m, now);
    b.busy = true;
    b.events = {std::move(what)};
    session.hear(b, now);
    ++events[m];
  }

  /// Looks around every heartbeat, with the master's answers if it cannot have been replaced.
  void watch(instant from, instant to, bool sure = true) {
    for (auto now = from; now <= to; now += 500ms) {
      if (sure)
        session.vouched(now, now);
      session.look_around(now);
    }
  }

  /// Returns the machines that are told to take something in, or answered with a task.
  std::set<machine_id> ordered(instant now) {
    std::set<machine_id> all;
    for (const auto& w : session.due_orders(now))
      if (std::ranges::any_of(w.orders, [](const auto& o) {
            return std::holds_alternative<queue_entry>(o) ||
                   std::holds_alternative<task_assignment>(o);
          }))
        all.insert(w.machine);
    return all;
  }

  /// Has machine `m` ask for a task of job 1 and start it. Returns which one it is.
  task_id run(machine_id m, instant now) {
    tell(m, request(1, m), now);
    task_id given;
    for (const auto& w : session.due_orders(now))
      for (const auto& o : w.orders)
        if (const auto* answer = std::get_if<task_assignment>(&o);
            w.machine == m && answer != nullptr && !answer->none)
          given = answer->order.task;
    REQUIRE(given.job == 1);
    tell(m, task_start{given, m, now}, now);
    return given;
  }

  catalog machines = even_catalog(4, 1, 1);
  sparrow_core core{own_id, machines, {}, random_stream{1}, 0};
  sparrow_session session;
  std::map<machine_id, std::uint64_t> events;
  std::map<machine_id, std::uint64_t> orders;
  std::uint64_t deliveries = 0;

private:
  incarnation_id incarnation_;
};

inline job_delivery left_over(incarnation_id incarnation, job j,
                              std::vector<std::uint32_t> over = {}) {
  job_delivery d{0, incarnation, 1, true, {}};
  d.jobs.push_back({std::move(j), std::move(over)});
  return d;
}

} // namespace troupe::testing
