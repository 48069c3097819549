#include "actors/fake_executor.hpp"
#include "actors/machine/machine.hpp"
#include "actors/neighbours.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

struct machine_fixture {
  std::shared_ptr<fake_executor> runs = std::make_shared<fake_executor>();
  world w;
  std::shared_ptr<const machine_config> config =
    std::make_shared<const machine_config>(machine_config{runs, {}});
  machine_actor subject =
    spawn_machine(w.system(), handling::queued, 7, resources::of_slots(2), config);

  void order(const machine_order& what) {
    caf::anon_send(subject, what);
    w.settle();
  }

  void launch(std::uint32_t index, std::int32_t slots) {
    order({{task(index), 0, resources::of_slots(slots), 5s}});
  }

  void kill(std::uint32_t index) {
    machine_order what;
    what.what.task = task(index);
    what.kill = true;
    order(what);
  }
};

using task_ids = std::vector<task_id>;

} // namespace

TEST_CASE_FIXTURE(machine_fixture, "a machine starts what fits, at once") {
  w.run_until(3s);
  launch(0, 1);
  launch(1, 1);
  CHECK(runs->started == std::vector<std::pair<instant, task_id>>{{3s, task(0)}, {3s, task(1)}});
  CHECK(runs->refused.empty());
}

TEST_CASE_FIXTURE(machine_fixture, "a machine refuses what would overfill it, and goes on") {
  launch(0, 1);
  launch(1, 2);
  launch(2, 3);
  launch(3, 1);
  launch(4, 1);
  CHECK(runs->runs(task(0)));
  CHECK(runs->runs(task(3)));
  CHECK(runs->refused == task_ids{task(1), task(2), task(4)});
  CHECK(runs->started.size() == 2);
}

TEST_CASE_FIXTURE(machine_fixture, "a machine refuses a kind of resource that it does not have") {
  machine_order what{{task(0), 0, {}, 1s}};
  what.what.demand[resource::gpu] = 1;
  order(what);
  CHECK(runs->refused == task_ids{task(0)});
}

TEST_CASE_FIXTURE(machine_fixture, "a task takes room until its executor has reported its end") {
  launch(0, 2);
  w.run_until(60s); // however long that is
  launch(1, 1);
  CHECK(runs->refused == task_ids{task(1)});
  runs->end(task(0));
  launch(2, 2);
  CHECK(runs->runs(task(2)));
}

TEST_CASE_FIXTURE(machine_fixture, "a machine kills what runs and nothing else") {
  launch(0, 1);
  launch(1, 1);
  kill(0);
  kill(0);
  kill(9);
  CHECK(runs->killed == task_ids{task(0)});
  launch(2, 1);
  CHECK(runs->runs(task(1)));
  CHECK(runs->runs(task(2)));
}

TEST_CASE_FIXTURE(machine_fixture, "a machine does not kill a task that has ended") {
  launch(0, 1);
  runs->end(task(0));
  kill(0);
  CHECK(runs->killed.empty());
}
