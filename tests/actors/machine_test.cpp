#include "actors/machine.hpp"
#include "actors/neighbours.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

class fake_executor final : public executor {
public:
  std::vector<std::pair<instant, task_id>> started;
  std::vector<std::pair<instant, task_id>> killed; ///< when they would have ended
  std::vector<task_id> refused;

  instant start(machine_id machine, const launch_order& order, instant now) override {
    CHECK(machine == 7);
    started.emplace_back(now, order.task);
    return now + order.runtime;
  }

  void kill(machine_id, const task_id& task, instant ends_at) override {
    killed.emplace_back(ends_at, task);
  }
  void refuse(machine_id, const launch_order& order) override { refused.push_back(order.task); }
};

struct machine_fixture {
  std::shared_ptr<fake_executor> runs = std::make_shared<fake_executor>();
  world w;
  std::shared_ptr<const machine_config> config =
    std::make_shared<const machine_config>(machine_config{runs, {}});
  machine_actor subject = w.system().spawn(machine, machine_id{7}, resources::of_slots(2), config);

  void launch(std::uint32_t index, std::int32_t slots, duration runtime) {
    caf::anon_send(subject, launch_order{task(index), 0, resources::of_slots(slots), runtime});
    w.settle();
  }

  /// What runs, in no particular order, hence sorted.
  std::vector<task_id> running() {
    auto status = ask<machine_status>(w, subject, status_atom_v);
    CHECK(status.machine == 7);
    std::sort(status.running.begin(), status.running.end());
    return status.running;
  }
};

using tasks = std::vector<task_id>;

} // namespace

TEST_CASE_FIXTURE(machine_fixture, "a machine starts what fits, at once") {
  w.run_until(3s);
  launch(0, 1, 5s);
  launch(1, 1, 2s);
  CHECK(runs->started == std::vector<std::pair<instant, task_id>>{{3s, task(0)}, {3s, task(1)}});
  CHECK(running() == tasks{task(0), task(1)});
  CHECK(runs->refused.empty());
}

TEST_CASE_FIXTURE(machine_fixture, "a machine refuses what would overfill it, and goes on") {
  launch(0, 1, 5s);
  launch(1, 2, 5s);
  launch(2, 3, 5s);
  launch(3, 1, 5s);
  launch(4, 1, 5s);
  CHECK(running() == tasks{task(0), task(3)});
  CHECK(runs->refused == tasks{task(1), task(2), task(4)});
  CHECK(runs->started.size() == 2);
}

TEST_CASE_FIXTURE(machine_fixture, "a machine refuses a kind of resource that it does not have") {
  launch_order order{task(0), 0, {}, 1s};
  order.demand[resource::gpu] = 1;
  caf::anon_send(subject, order);
  w.settle();
  CHECK(runs->refused == tasks{task(0)});
}

TEST_CASE_FIXTURE(machine_fixture, "a machine forgets a task at the instant of its end") {
  launch(0, 2, 5s);
  w.run_until(5s - 1ns);
  CHECK(running() == tasks{task(0)});
  launch(1, 1, 1s);
  CHECK(runs->refused == tasks{task(1)});
  w.run_until(5s);
  CHECK(running().empty());
  launch(2, 2, 1s);
  CHECK(running() == tasks{task(2)});
}

TEST_CASE_FIXTURE(machine_fixture, "a machine kills what runs and nothing else") {
  launch(0, 1, 5s);
  launch(1, 1, 5s);
  caf::anon_send(subject, kill_atom_v, task(0));
  caf::anon_send(subject, kill_atom_v, task(0));
  caf::anon_send(subject, kill_atom_v, task(9));
  w.settle();
  CHECK(runs->killed == std::vector<std::pair<instant, task_id>>{{5s, task(0)}});
  CHECK(running() == tasks{task(1)});
  launch(2, 1, 5s);
  CHECK(running() == tasks{task(1), task(2)});
}

TEST_CASE_FIXTURE(machine_fixture, "a machine does not kill a task that has ended") {
  launch(0, 1, 5s);
  w.run_until(6s);
  caf::anon_send(subject, kill_atom_v, task(0));
  w.settle();
  CHECK(runs->killed.empty());
}
