#include "runtime/sparrow_runs.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_CASE("every kind of probing runs every task exactly once") {
  for (const auto* probing : {"random", "per-task", "batch", "late-binding"})
    for (const auto* queue : {"fifo", "priority", "fair"}) {
      CAPTURE(probing);
      CAPTURE(queue);
      const auto results = run_text(busy_sparrow, {"sparrow.probing=" + std::string{probing},
                                                   "sparrow.queue=" + std::string{queue}});
      check_passed(results);
      CHECK(submitted(results) > 300);
      CHECK(finished(results) == submitted(results));
      CHECK(results.policy == probing);
      const auto summary = summary_of(results);
      CHECK(summary["sparrow"]["started"] == summary["tasks"]["finished"]);
      CHECK(summary["sparrow"]["launched"] == summary["queues"]["launched"]);
      CHECK(summary["utilization"]["mean"] > 0.1);
    }
}

TEST_CASE("late binding counts what it reserves, is asked for and cancels") {
  const auto sparrow = [](const std::string& with) -> nlohmann::ordered_json {
    return summary_of(run_text(busy_sparrow, {with}))["sparrow"];
  };
  const auto with = sparrow("sparrow.cancellation=true");
  const auto without = sparrow("sparrow.cancellation=false");
  CHECK(with["cancellations"] > 0);
  CHECK(without["cancellations"] == 0);
  CHECK(without["requests"] == without["reservations"]);
  CHECK(without["requests"].get<int>() ==
        without["noops"].get<int>() + without["launched"].get<int>());
  CHECK(with["noops"] < without["noops"]);
  CHECK(with["ratio"] == 2);
}

TEST_CASE("constraints and anti-affinity hold, with a ratio that follows the load") {
  const auto results =
    run_text(busy_sparrow, {"workload.constraints.0=disk == ssd", "workload.spread=true",
                            "sparrow.adaptive_ratio=true", "workload.phases.0.rate=60"});
  check_passed(results);
  CHECK(finished(results) == submitted(results));
  CHECK(summary_of(results)["sparrow"]["ratio"] != 2);
}

TEST_CASE("a hybrid run places long jobs, probes for short ones and steals") {
  const auto results = run_text(mixture);
  check_passed(results);
  CHECK(finished(results) == submitted(results));
  const auto summary = summary_of(results);
  CHECK(summary["groups"][0].contains("sparrow"));
  CHECK_FALSE(summary["groups"][1].contains("sparrow"));
  CHECK(summary["groups"][1]["tasks"]["finished"] == 60);
  CHECK(summary["queues"]["steals"] > 0);
  CHECK(summary["sparrow"]["stolen"] > 0);
  CHECK(summary["policy"] == "adaptive+late-binding");
}

TEST_CASE("estimates that are wrong send jobs the other way") {
  const auto summary = summary_of(run_text(mixture, {"workload.estimate_error=1"}));
  CHECK(summary["groups"][1].contains("sparrow"));
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
}

TEST_CASE("groups may have schedulers of different kinds on the same machines") {
  const auto results =
    run_text(mixture, {"architecture=parsync", "pool=0", "groups.0.scheduler.actor=sparrow"});
  check_passed(results);
  CHECK(finished(results) == submitted(results));
  CHECK(results.groups.at(0).policy == "late-binding");
  CHECK(results.groups.at(1).policy == "adaptive");
}

TEST_CASE("runs of Sparrow and hybrid clusters repeat with their seed") {
  for (const auto* text : {busy_sparrow, mixture}) {
    const auto one = run_text(text, {"seed=7"});
    const auto same = run_text(text, {"seed=7"});
    CHECK(summary_of(one) == summary_of(same));
    CHECK(timeseries_of(one) == timeseries_of(same));
    CHECK(one.messages == same.messages);
    CHECK(timeseries_of(one) != timeseries_of(run_text(text, {"seed=8"})));
  }
}

TEST_CASE("a scheduler that is cut off reaches no machine, and no machine reaches it") {
  const auto cut = [](const char* a, const char* b) {
    return std::string{R"(network.cuts=[{ from = "3s", to = "6s", a = ")"} + a + R"(", b = ")" + b +
           "\" }]";
  };
  for (const std::string probing : {"random", "late-binding"}) {
    CAPTURE(probing);
    const auto busy_within = [&](const std::string& with) {
      double busy = 0;
      const auto results =
        run_text(busy_sparrow, {"schedulers=1", "duration=9s", "workload.duration.max=0.5",
                                "workload.phases.0.rate=20", "sparrow.probing=" + probing, with});
      check_passed(results);
      for (const auto& interval : results.series)
        if (interval.from >= std::chrono::seconds{4} && interval.to <= std::chrono::seconds{6})
          busy += interval.utilization;
      return busy;
    };
    CHECK(busy_within(cut("scheduler.0", "*")) == 0);
    CHECK(busy_within(cut("*", "scheduler.*")) == 0);
    CHECK(busy_within(cut("*", "*")) == 0);
    CHECK(busy_within(cut("scheduler.0", "master")) > 0.01);
  }
}

TEST_CASE("lost messages leave tasks waiting, and every one accounted for") {
  const auto results = run_text(busy_sparrow, {"network.loss=0.02", "duration=10s"});
  check_passed(results);
  const auto tasks = summary_of(results)["tasks"];
  CHECK(tasks["queued"].get<int>() + tasks["in_commit"].get<int>() > 0);
}

TEST_CASE("jobs of the warm-up are left out of every measure but the counts") {
  for (const auto* architecture : {"sparrow", "parsync"}) {
    CAPTURE(architecture);
    const auto with = "architecture=" + std::string{architecture};
    const auto all = summary_of(run_text(busy_sparrow, {with}));
    const auto warm = summary_of(run_text(busy_sparrow, {with, "warmup=2s"}));
    const auto none = summary_of(run_text(busy_sparrow, {with, "warmup=59s"}));
    CHECK(all["tasks"] == warm["tasks"]);
    CHECK(all["job_response_s"]["mean"] != warm["job_response_s"]["mean"]);
    CHECK(warm["job_response_s"]["mean"].is_number());
    CHECK(none["job_response_s"]["mean"].is_null());
    CHECK(none["scheduling_delay_s"]["mean"].is_null());
    CHECK(none["quality"]["mean"].is_null());
  }
}
