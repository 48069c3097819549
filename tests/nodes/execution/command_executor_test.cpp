#include "nodes/execution/command_executor.hpp"
#include "nodes/execution/work_place.hpp"

#include <algorithm>
#include <fstream>
#include <mutex>

using namespace troupe;
using namespace troupe::test;

namespace {

/// A job service that says what a test wants.
class fake_service {
public:
  work_answer hear(const work_report& report) {
    const std::lock_guard lock{mutex_};
    ++reports_;
    if (silent_)
      throw std::runtime_error("it does not answer");
    work_answer answer;
    for (const auto& task : report.wants)
      answer.permits.push_back(permit(task));
    for (const auto& e : report.ended) {
      answer.seen.push_back(e.which);
      ended_.push_back(e);
    }
    for (const auto& which : report.running) {
      answer.renewed.push_back(which);
      running_ = which;
    }
    answer.stops = std::exchange(stops_, {});
    return answer;
  }

  template <class Function>
  auto with(Function function) {
    const std::lock_guard lock{mutex_};
    return function(*this);
  }

  std::string script_ = "exit 0";
  start_verdict verdict_ = start_verdict::run;
  bool silent_ = false;
  int reports_ = 0;
  std::vector<attempt_end> ended_;
  attempt_key running_;
  std::vector<stop_order> stops_;

private:
  start_permit permit(const task_id& task) const {
    const attempt_key which{task.job, task.index, 1};
    return {task, verdict_, which, to_json(work_place::shell(which, script_))};
  }

  std::mutex mutex_;
};

struct executor_fixture {
  work_place here;
  fake_service service;
  std::unique_ptr<command_executor> runs;

  void begin(bool keeps = false) {
    command_executor_config config;
    config.node = "node";
    config.boot = 1;
    config.folders = std::make_shared<const task_folders>(here.folders());
    config.rules = work_place::rules();
    config.ask = [this](const work_report& report) { return service.hear(report); };
    config.now = [] { return instant{77}; };
    config.keeps_commands = keeps;
    runs = std::make_unique<command_executor>(std::move(config));
  }

  run_number start(const task_id& task) {
    launch_order order;
    order.task = task;
    return runs->start(0, order, instant{0});
  }

  bool ends(run_number run) {
    return soon([&] { return runs->has_ended(run); });
  }

  std::size_t told() {
    return service.with([](fake_service& s) { return s.ended_.size(); });
  }
};

} // namespace

TEST_CASE_FIXTURE(executor_fixture, "a task runs with its permit, and its end is told to both") {
  begin();
  service.with([](fake_service& s) { s.script_ = "exit 3"; });
  const auto run = start({1, 0});
  CHECK(ends(run));
  CHECK(runs->next_due() == instant{77});
  std::vector<task_end_queue::entry> due;
  runs->take_due(instant{77}, due);
  REQUIRE(due.size() == 1);
  CHECK(due[0].run == run);
  CHECK(due[0].end.outcome == task_outcome::failed);
  CHECK(runs->next_due() == instant::max());
  CHECK(soon([&] { return told() == 1; }));
  CHECK(service.with([](fake_service& s) { return s.ended_[0].exit_code; }) == 3);
  CHECK(runs->status().launched == 1);
  CHECK(runs->status().ended == 1);
}

TEST_CASE_FIXTURE(executor_fixture, "a task that has to wait asks again") {
  begin();
  service.with([](fake_service& s) { s.verdict_ = start_verdict::wait; });
  const auto run = start({1, 0});
  CHECK(soon([&] { return service.with([](fake_service& s) { return s.reports_; }) >= 3; }));
  CHECK_FALSE(runs->has_ended(run));
  service.with([](fake_service& s) { s.verdict_ = start_verdict::run; });
  CHECK(ends(run));
}

TEST_CASE_FIXTURE(executor_fixture, "a task that the service refuses is over for its machine") {
  begin();
  service.with([](fake_service& s) { s.verdict_ = start_verdict::refuse; });
  CHECK(ends(start({1, 0})));
  CHECK(told() == 0);
}

TEST_CASE_FIXTURE(executor_fixture, "tasks start once the service answers again") {
  begin();
  service.with([](fake_service& s) { s.silent_ = true; });
  const auto run = start({1, 0});
  CHECK(soon([&] { return service.with([](fake_service& s) { return s.reports_; }) >= 3; }));
  CHECK_FALSE(runs->has_ended(run));
  service.with([](fake_service& s) { s.silent_ = false; });
  CHECK(ends(run));
}

TEST_CASE_FIXTURE(executor_fixture,
                  "leases are renewed, and commands stopped, as the service says") {
  begin();
  service.with([](fake_service& s) { s.script_ = "exec sleep 1000"; });
  const auto run = start({1, 0});
  const attempt_key which{1, 0, 1};
  CHECK(soon([&] { return service.with([](fake_service& s) { return s.running_; }) == which; }));
  service.with([&](fake_service& s) { s.stops_ = {{which, end_reason::cancelled, 100}}; });
  CHECK(ends(run));
  CHECK(soon([&] { return told() == 1; }));
  CHECK(service.with([](fake_service& s) { return s.ended_[0].reason; }) == end_reason::cancelled);
}

TEST_CASE_FIXTURE(executor_fixture, "a machine that gives a task up ends its command") {
  begin();
  service.with([](fake_service& s) { s.script_ = "exec sleep 1000"; });
  const auto run = start({1, 0});
  CHECK(
    soon([&] { return service.with([](fake_service& s) { return s.running_.attempt; }) == 1; }));
  runs->kill(0, run);
  CHECK(ends(run));
  CHECK(soon([&] { return told() == 1; }));
  CHECK(service.with([](fake_service& s) { return s.ended_[0].reason; }) == end_reason::preempted);
  CHECK(runs->status().killed == 1);
}

TEST_CASE_FIXTURE(executor_fixture, "commands end with their node, unless they are kept") {
  begin();
  service.with([](fake_service& s) { s.script_ = "exec sleep 1000"; });
  start({1, 0});
  CHECK(
    soon([&] { return service.with([](fake_service& s) { return s.running_.attempt; }) == 1; }));
  runs->end();
  CHECK(told() == 1);
  CHECK(service.with([](fake_service& s) { return s.ended_[0].reason; }) == end_reason::drain);

  begin(true);
  start({2, 0});
  const attempt_key kept{2, 0, 1};
  CHECK(soon([&] { return service.with([](fake_service& s) { return s.running_; }) == kept; }));
  runs.reset();
  CHECK(told() == 1);
  CHECK(here.folders().of(kept).page().is_held());
  // A new process of the node adopts it.
  service.with([](fake_service& s) { s.running_ = {}; });
  begin();
  CHECK(soon([&] { return service.with([](fake_service& s) { return s.running_; }) == kept; }));
}
