#include "actors/plugin/owners/plugin_outbox.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("the reports of each owner to a plugin are numbered, behind the other messages") {
  plugin_outbox told{2};
  told.next_report(1).ends.push_back({{1, 0}, 2, task_outcome::finished, instant{0}});
  told.next_report(1).changes.push_back({3, true, one_slot});
  told.tell(commit_reply{0, 7, {}});
  auto all = told.take();
  REQUIRE(all.size() == 2);
  CHECK(std::get<commit_reply>(all[0]).id == 7);
  CHECK(std::get<task_report>(all[1]).owner == 1);
  CHECK(std::get<task_report>(all[1]).number == 1);
  CHECK(std::get<task_report>(all[1]).changes.size() == 1);
  CHECK(told.take().empty());
  told.next_report(1).preempted.emplace_back();
  told.next_report(0).preempted.emplace_back();
  all = told.take();
  REQUIRE(all.size() == 2);
  CHECK(std::get<task_report>(all[0]).number == 1);
  CHECK(std::get<task_report>(all[1]).number == 2);
  CHECK(told.told() == 4);
}

TEST_CASE("a report to a plugin that is wanted is sent although it is empty, once") {
  plugin_outbox told{2};
  told.send_report(1);
  const auto all = told.take();
  REQUIRE(all.size() == 1);
  CHECK(std::get<task_report>(all[0]).owner == 1);
  CHECK(std::get<task_report>(all[0]).number == 1);
  CHECK(told.take().empty());
}

TEST_CASE("no jobs are not submitted to a plugin") {
  plugin_outbox told{1};
  told.submit({});
  CHECK(told.told() == 0);
  told.submit({slot_job(1, 1)});
  CHECK(std::get<submission>(told.take().at(0)).jobs.size() == 1);
}
