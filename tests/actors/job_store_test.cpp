#include "actors/client/job_store.hpp"
#include "actors/neighbours.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a job store knows what became of tasks and jobs") {
  job_store store{0, 0, {1}, 1s};
  store.add(0, slot_job(1, 2, 1s));
  store.add(0, slot_job(2, 2, 3s));
  store.hear({0, 1, 0, 1, {{1, 0}, {1, 1}}, {task_fate::finished, task_fate::lost}}, 1s);
  store.hear({0, 1, 0, 2, {{1, 1}, {2, 0}}, {task_fate::finished, task_fate::abandoned}}, 1s);
  CHECK(store.tasks_by_fate() == job_store::fate_counts{1, 0, 1, 1});
  CHECK(store.jobs_by_fate() == job_store::fate_counts{0, 0, 1, 0});
  CHECK(store.ages(5s, 0s).at(0).tasks.count() == 1);
  CHECK(store.ages(5s, 0s)[0].tasks.max() == doctest::Approx(2));
  CHECK(store.ages(5s, 0s)[0].jobs.count() == 1);
  CHECK(store.ages(5s, 4s)[0].jobs.empty());
  store.scheduler_incarnations(0, 2);
  const auto sent = store.deliveries(5s);
  CHECK(sent.at(0).second.jobs.at(0).fate == task_fate::abandoned);
  store.hear({0, 2, 1, 1, {{2, 1}}, {task_fate::finished}}, 5s);
  CHECK(store.jobs_by_fate() == job_store::fate_counts{0, 0, 1, 1});
}

TEST_CASE("a job store hears how wide a moldable job is, and counts its tasks") {
  job_store store{0, 0, {1}, 1s};
  auto j = slot_job(1, 1);
  j.gang = true;
  j.mold = {2, 1, 8, 60s, 60s, {}, false};
  mold(j, 1);
  store.add(0, j);
  CHECK(store.tasks() == 1);
  store_report news{0, 1, 0, 1, {{1, 0}, {1, 3}}, {task_fate::finished, task_fate::finished}};
  news.widths = {4, 0};
  store.hear(news, 1s);
  store.hear(news, 1s); // again
  CHECK(store.tasks() == 4);
  CHECK(store.over() == 1);
  CHECK(store.handed().at(0).given == 4);
  store.scheduler_incarnations(0, 2);
  const auto sent = store.deliveries(5s);
  const auto& kept = sent.at(0).second.jobs.at(0);
  CHECK(kept.what.task_count() == 4);
  CHECK(kept.what.mold.settled);
  CHECK(kept.what.estimate == 30s);
  CHECK(kept.over == std::vector<std::uint32_t>{3});
  store_report wrong{0, 2, 1, 1, {{1, 0}}};
  wrong.widths = {9}; // wider than it may be
  store.hear(wrong, 6s);
  CHECK(store.tasks() == 4);
}

TEST_CASE("a job store tells that a job was withdrawn, a new incarnation too") {
  job_store store{0, 0, {1}, 1s};
  store.add(0, slot_job(1, 2));
  store.add(0, slot_job(2, 2));
  store.deliveries(0s);
  store.withdraw(2);
  store.withdraw(2);
  store.withdraw(99);
  const auto sent = store.deliveries(1s);
  REQUIRE(!sent.empty());
  CHECK(sent.back().second.jobs.empty());
  CHECK(sent.back().second.withdrawn == std::vector<job_id>{2});
  store.scheduler_incarnations(0, 2);
  const auto again = store.deliveries(2s).at(0).second;
  CHECK(again.jobs.size() == 2);
  CHECK(again.withdrawn == std::vector<job_id>{2});
}

TEST_CASE("a job store delivers until it is told that a job is over") {
  job_store store{0, 4, {1, 1}, 500ms};
  store.add(1, slot_job(7, 2));
  auto sent = store.deliveries(0s);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].first == 5);
  CHECK(sent[0].second.number == 1);
  CHECK(store.deliveries(400ms).empty());
  CHECK(store.deliveries(500ms).size() == 1);
  CHECK_FALSE(store.hear({5, 1, 0, 1, {}}, 600ms)); // it says nothing
  store_report news{5, 1, 1, 1, {{7, 0}}};
  REQUIRE(store.hear(news, 1s));
  CHECK(store.hear(news, 1s)->number == 1);
  CHECK(store.hear({5, 1, 1, 3, {{7, 0}}}, 1s)->number == 1); // the second one is missing
  CHECK(store.deliveries(2s).empty());
  CHECK(store.over() == 1);
  CHECK(store.is_over({7, 0}));
  CHECK_FALSE(store.is_over({7, 1}));
  // The store hands the open jobs to another incarnation of the scheduler, and ignores reports of
  // the earlier one.
  store.scheduler_incarnations(5, 2);
  sent = store.deliveries(2s);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.resumed);
  CHECK(sent[0].second.jobs.at(0).over == std::vector<std::uint32_t>{0});
  CHECK_FALSE(store.hear({5, 1, 1, 4, {{7, 1}}}, 2s));
  CHECK(store.hear({5, 2, 1, 1, {{7, 1}}}, 2s));
  CHECK(store.open_jobs() == 0);
  CHECK(store.is_over({7, 1}));
}
