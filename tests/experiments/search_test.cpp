#include "experiments/fake_launcher.hpp"
#include "experiments/sweeps/search_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace troupe::test;

namespace {

planned_run search_for(const std::string& goal, std::int64_t from, std::int64_t to,
                       std::uint64_t seeds = 2) {
  planned_run plan{"s", "some.toml", {}, seeds, {}};
  plan.find = search_plan{.set = "n", .from = from, .to = to, .goal = goal, .verified = true};
  return plan;
}

run_result result_of(const planned_run& plan, const std::function<double(double)>& x_of,
                     std::vector<std::string>* set = nullptr) {
  fake_launcher by([&](const run_request& r) {
    if (set != nullptr)
      set->push_back(r.set.back());
    return reply_with(x_of(number_set(r, "n", -1)));
  });
  silent_monitor monitor;
  return execute(std::vector{plan}, 2, by, monitor).front();
}

bool tried(const run_result& r, std::int64_t value) {
  return std::ranges::find(r.steps, value, &search_step::value) != r.steps.end();
}

} // namespace

TEST_CASE("a search is verified halfway to either end, and does not run a value twice") {
  const auto r = result_of(search_for("{x} <= 10", 0, 1000), [](double n) { return 1000 - n; });
  CHECK(r.found == 990);
  CHECK(tried(r, 495));
  CHECK(tried(r, 995));
  CHECK(contradictions(r).empty());
  auto steps = r.steps;
  std::ranges::sort(steps, {}, &search_step::value);
  CHECK(std::ranges::adjacent_find(steps, {}, &search_step::value) == steps.end());
  CHECK(outcome_text(r) ==
        "the least value that meets the goal is n = 990 (from 0 to 1000 in steps of 1)");
}

TEST_CASE("values between the steps of whole numbers are real numbers or durations") {
  auto plan = search_for("{x} >= 1.234", 0, 2000);
  plan.find->scale.decimals = 3;
  std::vector<std::string> set;
  const auto r = result_of(
    plan, [](double n) { return n; }, &set);
  CHECK(r.found == 1234);
  CHECK(set.front() == "n=2.000");
  CHECK(steps_table(r).rows.front() == std::vector<std::string>{"2.000", "yes", "2"});
  plan.find->scale = {.durations = true};
  const auto times = result_of(
    plan, [](double n) { return n; }, &set);
  CHECK(set.back().ends_with("ns"));
  CHECK(times.steps.front().value == 2000);
}

TEST_CASE("a search says so when not even the greatest value does") {
  const auto r = result_of(search_for("{x} <= 10", 0, 100), [](double) { return 11; });
  CHECK_FALSE(r.found);
  CHECK(r.steps.size() == 1);
  CHECK(outcome_text(r) == "not even n = 100 meets it (from 0 to 100 in steps of 1)");
  CHECK(searches_table(std::vector{r}).rows[0][3] == "none");
}

TEST_CASE("a search says so when even the least value does") {
  const auto r = result_of(search_for("{x} <= 10", 5, 100), [](double) { return 1; });
  CHECK(r.found == 5);
  CHECK(outcome_text(r) ==
        "even n = 5, the least of the range, meets it (from 5 to 100 in steps of 1)");
}

TEST_CASE("a value that does not do, above one that does, is a contradiction") {
  const auto r = result_of(search_for("{x} <= 10", 0, 1000),
                           [](double n) { return n > 400 && n < 600 ? 50 : 5; });
  const auto found = contradictions(r);
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().find("holds for n = ") != std::string::npos);
}

TEST_CASE("a goal that is farther off at a greater value is a contradiction, noise is not") {
  const auto rising = [](double n) { return n >= 1000 ? 5 : 20 + n / 10; };
  const auto r = result_of(search_for("{x} <= 10", 0, 1000), rising);
  const auto found = contradictions(r);
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().find("farther away") != std::string::npos);
  const auto noisy = [](double n) { return n >= 600 ? 5 + (n < 800 ? 0 : 0.1) : 1000 - n; };
  CHECK(contradictions(result_of(search_for("{x} <= 10", 0, 1000, 1), noisy)).empty());
}

TEST_CASE("the JSON of a search has every step") {
  const auto r = result_of(search_for("{x} <= 10", 0, 8), [](double n) { return 12 - n; });
  const auto json = searches_json(std::vector{r})["searches"][0];
  CHECK(json["found"] == "2");
  CHECK(json["tried"].size() == r.steps.size());
  CHECK(json["tried"][0]["values"]["x"]["mean"] == 4);
}

TEST_CASE("a search for a value that no run has ends with a message") {
  const auto plan = search_for("{y} <= 10", 0, 8);
  const auto r = result_of(plan, [](double n) { return n; });
  CHECK(r.steps.empty());
  CHECK(contradictions(r).empty());
  CHECK(outcome_text(r).find("there is no 'y'") != std::string::npos);
  CHECK(steps_table(r).rows.empty());
}

TEST_CASE("a search says of which values the seeds cannot tell") {
  auto plan = search_for("{x} <= 5", 1, 1, 3);
  fake_launcher by([](const run_request& r) { return reply_with(r.seed == 3 ? 7 : 0.25); });
  silent_monitor monitor;
  const auto r = execute(std::vector{plan}, 1, by, monitor).front();
  REQUIRE(r.steps.size() == 1);
  CHECK(r.steps[0].good); // 2.5 +- 9.7 in the mean
  CHECK(step_text(r.plan, r.steps[0]).starts_with("s: n = 1 is undecided, x = "));
  CHECK(steps_table(r).rows[0][1] == "undecided, by the mean yes");
  CHECK(outcome_text(r).find("undecided at 95 % confidence for 1") != std::string::npos);
  CHECK(searches_json(std::vector{r})["searches"][0]["tried"][0]["undecided"] == true);
}
