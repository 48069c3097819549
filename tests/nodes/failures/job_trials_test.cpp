#include "cli/process.hpp"
#include "jobs/churn.hpp"
#include "jobs/job_cluster.hpp"
#include "jobs/replay.hpp"
#include "jobs/storm.hpp"
#include "jobs/submit_kills.hpp"
#include "support/postgres_server.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

using namespace troupe::test;
using namespace troupe::trials;
using namespace std::chrono_literals;

// The benchmark `./dev bench jobs`, in small.

namespace {

jobs_plan small_cluster(const scratch& here) {
  jobs_plan plan;
  plan.troupe = TROUPE_PROGRAM;
  plan.directory = here.path() / "trial";
  plan.config = TROUPE_SOURCE_DIR "/configs/jobs.toml";
  plan.machines = 1;
  return plan;
}

} // namespace

TEST_CASE("every answered submission is there once when the node with the jobs is killed") {
  const scratch here;
  kills_plan kills;
  kills.kills = 3;
  kills.submissions = 40;
  const auto f = try_kills(small_cluster(here), kills);
  CHECK(f.answered == 120);
  CHECK(f.stored == 120);
  CHECK(f.lost == 0);
  CHECK(f.twice == 0);
  CHECK(f.unfinished == 0);
  CHECK(f.damage.empty());
}

TEST_CASE("every answered submission is there once when keepers and their database are killed") {
  if (postgres_server::shared() == nullptr)
    return;
  postgres_server server;
  const scratch here;
  auto plan = small_cluster(here);
  plan.database = server.new_database();
  kills_plan kills;
  kills.kills = 3;
  kills.submissions = 30;
  kills.database_every = 3;
  kills.kill_database = [&] {
    server.kill_hard();
    server.start();
  };
  const auto f = try_kills(plan, kills);
  MESSAGE("longest time without an answer: " << f.longest_gap.count() << " ms");
  CHECK(f.answered == 90);
  CHECK(f.stored == 90);
  CHECK(f.lost == 0);
  CHECK(f.twice == 0);
  CHECK(f.unfinished == 0);
  CHECK(f.damage.empty());
}

TEST_CASE("no task is lost, and none runs twice at a time, in a storm") {
  const scratch here;
  auto plan = small_cluster(here);
  plan.machines = 2;
  plan.members_apart = true;
  storm_plan storm;
  storm.tasks = 100;
  storm.longest = 1s;
  storm.pause = 500ms;
  storm.faults = 4;
  const auto f = try_storm(plan, storm);
  CHECK(f.tasks >= 100);
  CHECK(f.succeeded == f.tasks);
  CHECK(f.started >= f.tasks);
  CHECK(f.lost == 0);
  CHECK(f.together == 0);
  CHECK(f.repeated == 0);
  CHECK(f.unknown == 0);
  CHECK(f.out_of_order == 0);
  CHECK(f.damage.empty());
  CHECK(f.orders > 0);
  CHECK(f.other_policies == std::vector<std::string>{});
}

TEST_CASE("no task is lost, and none runs twice at a time, while machines join and leave") {
  const scratch here;
  auto plan = small_cluster(here);
  plan.most = 20;
  churn_plan churn;
  churn.changes = 12;
  churn.most = 3;
  churn.jobs.tasks = 60;
  churn.jobs.longest = 500ms;
  const auto f = try_churn(plan, churn);
  CHECK(f.joined + f.left >= 12);
  CHECK(f.jobs.tasks >= 60);
  CHECK(f.jobs.succeeded == f.jobs.tasks);
  CHECK(f.jobs.lost == 0);
  CHECK(f.jobs.together == 0);
  CHECK(f.jobs.repeated == 0);
  CHECK(f.jobs.unknown == 0);
  CHECK(f.jobs.out_of_order == 0);
  CHECK(f.jobs.damage.empty());
}

TEST_CASE("a machine's node is replaced while its commands go on") {
  const scratch here;
  auto plan = job_cluster(small_cluster(here));
  plan.nodes.back().more.emplace_back("--keep-commands");
  trial_cluster cluster{plan};
  cluster.start();
  wait_for_api(cluster);
  const auto go = (here.path() / "go").string();
  REQUIRE(run_client(cluster, {"submit", "--count", "2", "--cpu", "0.5", "--", "sh", "-c",
                               "until test -e " + go + "; do sleep 0.05; done"}));
  cluster.wait_for("both tasks run", [&] {
    const auto job = ask_api(cluster, "/api/v1/jobs/1");
    return job && (*job)["running"] == 2;
  });
  const auto begin = std::chrono::steady_clock::now();
  cluster.process("h1").send(SIGTERM);
  CHECK(cluster.process("h1").wait() == 0);
  CHECK(std::chrono::steady_clock::now() - begin < 20s); // and not only when they are over
  cluster.start("h1");
  std::ofstream{go} << "x";
  CHECK(run_client(cluster, {"wait", "1", "--timeout", "60s"}));
  for (const char* task : {"0", "1"}) {
    const auto told = ask_api(cluster, "/api/v1/jobs/1/tasks/" + std::string{task});
    REQUIRE(told);
    CHECK((*told)["attempts"] == 1);
  }
}

TEST_CASE("a recording has every task of a cluster, and its run finishes them all") {
  const scratch here;
  auto plan = small_cluster(here);
  plan.machines = 2;
  replay_plan replay;
  replay.length = 3s;
  replay.shortest = 50ms;
  replay.longest = 300ms;
  replay.runs = 2;
  const auto f = try_replay(plan, replay);
  CHECK(f.tasks > f.jobs);
  CHECK(f.recorded == f.tasks);
  CHECK(f.replayed == f.tasks);
  CHECK(f.delays.back() > 0);
  REQUIRE(f.replayed_delays.size() == 2);
  for (const auto& run : f.replayed_delays) {
    REQUIRE(run.size() == f.delays.size());
    CHECK(run.back() > 0);
  }
}

TEST_CASE("a replay agrees with its cluster by the median of its runs") {
  const replayed_figure figure{10, {8.5, 8.8, 9.4}};
  CHECK(figure.deviation() == doctest::Approx(-0.12));
  CHECK(figure.agrees(0.13));
  CHECK_FALSE(figure.agrees(0.11));
  CHECK_FALSE(replayed_figure{10, {9.5, 11.1, 12}}.agrees(0.1));
  CHECK(replayed_figure{10, {5, 10.5, 20}}.agrees(0.1));
  CHECK_FALSE(replayed_figure{10, {}}.agrees(0.1));
}
