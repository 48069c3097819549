#include "actors/client/workload.hpp"
#include "actors/neighbours.hpp"

#include <deque>
#include <functional>
#include <set>
#include <stdexcept>

using namespace troupe;
using namespace troupe::test;

namespace {

/// Gives jobs of two tasks at the given times, and may fail after them.
class fake_source final : public job_source {
public:
  std::deque<instant> times;
  std::deque<duration> estimates; ///< of the jobs; none from there on
  std::string error;

  std::optional<job> next() override {
    if (times.empty() && !error.empty())
      throw std::runtime_error(error);
    if (times.empty())
      return std::nullopt;
    const auto at = times.front();
    times.pop_front();
    auto j = slot_job(0, 2, at);
    if (!estimates.empty()) {
      j.estimate = estimates.front();
      estimates.pop_front();
    }
    return j;
  }

  std::map<std::string, std::uint64_t> skipped_rows() const override { return {{"odd", 3}}; }
};

/// Jobs of clients, which come at any time, and are submitted from `from` on.
class client_source final : public job_source {
public:
  explicit client_source(instant from) : from_(from) {}

  void push(job_id number) {
    jobs_.push_back(slot_job(number, 2, 0ms));
    if (more_)
      more_();
  }

  std::optional<job> next() override {
    if (jobs_.empty())
      return std::nullopt;
    auto first = jobs_.front();
    jobs_.pop_front();
    return first;
  }

  bool goes_on() const override { return true; }
  instant opens() const override { return from_; }
  void when_more(std::function<void()> call) override { more_ = std::move(call); }

private:
  instant from_;
  std::deque<job> jobs_;
  std::function<void()> more_;
};

struct workload_fixture {
  scheduler_inbox got[3];
  std::shared_ptr<fake_source> source = std::make_shared<fake_source>();
  world w;

  workload_actor make(std::deque<instant> at, duration tick = 10ms, std::uint32_t number = 0) {
    source->times = std::move(at);
    const auto a = w.system().spawn(workload, workload_config{number, {}, source, tick, {}});
    peers all;
    for (auto& g : got)
      all.schedulers.push_back(pointer(w.system().spawn(fake_scheduler, &g)));
    caf::anon_send(a, all);
    w.settle();
    return a;
  }
};

} // namespace

TEST_CASE_FIXTURE(workload_fixture, "jobs are submitted at the first tick after they are due") {
  make({0ms, 10ms, 11ms, 35ms});
  CHECK(got[0].submissions.empty());
  w.run();
  REQUIRE(got[0].submissions.size() == 2);
  REQUIRE(got[1].submissions.size() == 1);
  REQUIRE(got[2].submissions.size() == 1);
  CHECK(got[0].submissions[0].first == 0ms);
  CHECK(got[1].submissions[0].first == 10ms);
  CHECK(got[2].submissions[0].first == 20ms);
  CHECK(got[0].submissions[1].first == 40ms);
  // Waiting for the tick is part of the delay.
  CHECK(got[0].submissions[1].second.jobs.at(0).submitted == 35ms);
}

TEST_CASE_FIXTURE(workload_fixture, "schedulers take turns, and get one message per tick") {
  make({1ms, 2ms, 3ms, 4ms, 5ms, 21ms, 22ms});
  w.run();
  const auto jobs = [this](std::size_t scheduler, std::size_t message) {
    std::vector<job_id> ids;
    for (const auto& j : got[scheduler].submissions.at(message).second.jobs)
      ids.push_back(j.id);
    return ids;
  };
  using ids = std::vector<job_id>;
  CHECK(jobs(0, 0) == ids{0, 3});
  CHECK(jobs(1, 0) == ids{1, 4});
  CHECK(jobs(2, 0) == ids{2});
  CHECK(jobs(2, 1) == ids{5});
  CHECK(jobs(0, 1) == ids{6});
  CHECK(got[0].submissions.size() == 2);
  CHECK(got[1].submissions.size() == 1);
}

TEST_CASE_FIXTURE(workload_fixture, "job ids of different workloads differ") {
  make({0ms, 0ms}, 10ms, 1);
  w.run();
  std::set<job_id> ids;
  for (const auto& g : got)
    for (const auto& s : g.submissions)
      for (const auto& j : s.second.jobs)
        ids.insert(j.id);
  CHECK(ids == std::set<job_id>{job_id{1} << 40, (job_id{1} << 40) + 1});
}

TEST_CASE_FIXTURE(workload_fixture, "a workload tells what it has submitted") {
  const auto a = make({0ms, 20ms});
  auto status = ask<workload_status>(w, a, sample_atom_v);
  CHECK(status.jobs == 0);
  CHECK_FALSE(status.ended);
  w.run_until(10ms);
  status = ask<workload_status>(w, a, sample_atom_v);
  CHECK(status.jobs == 1);
  CHECK(status.tasks == 2);
  CHECK_FALSE(status.ended);
  w.run();
  status = ask<workload_status>(w, a, sample_atom_v);
  CHECK(status.jobs == 2);
  CHECK(status.tasks == 4);
  CHECK(status.ended);
  CHECK(status.error.empty());
  CHECK(status.skipped_rows == std::map<std::string, std::uint64_t>{{"odd", 3}});
}

TEST_CASE_FIXTURE(workload_fixture, "an empty workload has ended") {
  CHECK(ask<workload_status>(w, make({}), sample_atom_v).ended);
}

TEST_CASE_FIXTURE(workload_fixture, "after a flush nothing is submitted any more") {
  const auto a = make({0ms, 20ms});
  w.run_until(10ms);
  CHECK(ask<workload_status>(w, a, flush_atom_v).jobs == 1);
  w.run();
  CHECK(ask<workload_status>(w, a, sample_atom_v).jobs == 1);
  CHECK(got[1].submissions.empty());
}

TEST_CASE_FIXTURE(workload_fixture, "a source that fails ends the stream and says why") {
  source->error = "jobs.tr:7: no number";
  const auto a = make({0ms});
  w.run();
  const auto status = ask<workload_status>(w, a, sample_atom_v);
  CHECK(got[0].submissions.size() == 1);
  CHECK(status.jobs == 1);
  CHECK(status.ended);
  CHECK(status.error == "jobs.tr:7: no number");
}

TEST_CASE_FIXTURE(workload_fixture,
                  "long jobs go to the first schedulers, the others to the rest in turn") {
  source->times = {0ms, 0ms, 0ms, 0ms};
  workload_config config{0, {}, source, 10ms, {}};
  config.long_schedulers = 1;
  config.cutoff = 2s;
  source->estimates = {1s, 2s, 1s, 5s};
  const auto a = w.system().spawn(workload, config);
  peers all;
  for (auto& g : got)
    all.schedulers.push_back(pointer(w.system().spawn(fake_scheduler, &g)));
  caf::anon_send(a, all);
  w.run();
  REQUIRE(got[0].submissions.size() == 1);
  CHECK(got[0].submissions[0].second.jobs.size() == 2);
  for (const auto& j : got[0].submissions[0].second.jobs)
    CHECK(j.estimate >= 2s);
  CHECK(got[1].submissions.at(0).second.jobs.size() == 1);
  CHECK(got[2].submissions.at(0).second.jobs.size() == 1);
}

TEST_CASE_FIXTURE(workload_fixture,
                  "jobs of clients wait for the beginning, then are submitted at once") {
  const auto clients = std::make_shared<client_source>(20ms);
  clients->push(7);
  const auto a = w.system().spawn(workload, workload_config{0, {}, clients, 10ms, {}});
  peers all;
  for (auto& g : got)
    all.schedulers.push_back(pointer(w.system().spawn(fake_scheduler, &g)));
  caf::anon_send(a, all);
  w.run_until(10ms);
  clients->push(8);
  w.run_until(19ms);
  CHECK(ask<workload_status>(w, a, sample_atom_v).jobs == 0);
  w.run_until(33ms);
  clients->push(9);
  w.run_until(40ms);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(got[i].submissions.size() == 1);
    const auto& [at, what] = got[i].submissions[0];
    CHECK(at == (i < 2 ? 20ms : 33ms));
    CHECK(what.jobs.at(0).id == 7 + i);
    CHECK(what.jobs.at(0).submitted == at);
  }
  caf::anon_send_exit(a, caf::exit_reason::user_shutdown);
}
