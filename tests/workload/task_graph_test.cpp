#include "workload/traces/task_graph.hpp"

#include <doctest/doctest.h>

#include <string>

namespace troupe {

namespace {

using numbers = std::vector<std::uint32_t>;

task_graph graph(const std::vector<std::string>& names) {
  std::vector<std::optional<task_name>> parsed;
  for (const auto& n : names)
    parsed.push_back(parse_task_name(n));
  return task_graph::of(parsed);
}

} // namespace

TEST_CASE("a task's name says its number and whom it waits for") {
  CHECK(parse_task_name("M1") == task_name{1, {}});
  CHECK(parse_task_name("M5_3_4") == task_name{5, {3, 4}});
  CHECK(parse_task_name("J12_10_") == task_name{12, {10}});
  CHECK(parse_task_name("R2_1_Stg3") == task_name{2, {1}});
  CHECK(parse_task_name("M1Stg7") == task_name{1, {}});
  CHECK_FALSE(parse_task_name("task_LTg0MTUwNTA5Mjg4MDkwNjIzMA=="));
  CHECK_FALSE(parse_task_name("MergeTask"));
  CHECK_FALSE(parse_task_name("12"));
  CHECK_FALSE(parse_task_name(""));
}

TEST_CASE("the last number of a name that is cut at 50 characters is left out") {
  const std::string cut = "J30_4_5_6_7_8_9_10_11_12_13_14_15_16_17_18_19_20_2";
  REQUIRE(cut.size() == 50);
  const auto name = parse_task_name(cut);
  REQUIRE(name);
  CHECK(name->parents.size() == 17);
  CHECK(name->parents.back() == 20);
}

TEST_CASE("tasks are ordered behind those they wait for") {
  const auto g = graph({"R3_1_2", "M1", "R2_1", "MergeTask"});
  CHECK(g.order == numbers{1, 2, 3, 0});
  CHECK(g.parents[0] == numbers{1, 2});
  CHECK(g.parents[2] == numbers{1});
  CHECK(g.unknown == 0);
  CHECK(g.circular == 0);
}

TEST_CASE("dependencies on unknown tasks and in circles are left out and counted") {
  const auto g = graph({"M5_1", "R1_5", "J2_9_2"});
  CHECK(g.order.size() == 3);
  CHECK(g.parents[0].empty());
  CHECK(g.parents[1] == numbers{0});
  CHECK(g.parents[2].empty());
  CHECK(g.unknown == 1);
  CHECK(g.circular == 2);
}

TEST_CASE("who waits for a number that two tasks have waits for both") {
  const auto g = graph({"M1", "M1", "R2_1"});
  CHECK(g.parents[2] == numbers{0, 1});
}

} // namespace troupe
