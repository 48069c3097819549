#include "experiments/fake_launcher.hpp"
#include "experiments/sweeps/sweep.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

using namespace troupe;
using namespace troupe::test;

namespace {

const std::vector<varied_setting> two_settings{parse_varied_setting("a=1,2"),
                                               parse_varied_setting("b.c=x,y/z")};

planned_run base() {
  return {"s", "some.toml", {"d=1"}, 3, {}};
}

/// What the combinations give: x is 10 a plus the seed, but for those that fail.
std::vector<run_result> results_with(const std::function<bool(const run_request&)>& fails) {
  fake_launcher by([&](const run_request& r) {
    return fails(r) ? run_reply{1, "out of luck", nullptr}
                    : reply_with(10 * number_set(r, "a", 0) + static_cast<double>(r.seed));
  });
  silent_monitor monitor;
  return execute(sweep_plans(base(), two_settings), 2, by, monitor);
}

const std::vector<std::string> x_only{"x"};

} // namespace

TEST_CASE("there is a run for each combination, each with a folder of its own") {
  const auto plans = sweep_plans(base(), two_settings);
  REQUIRE(plans.size() == 4);
  CHECK(plans[0].name == "a=1, b.c=x");
  CHECK(plans[3].name == "a=2, b.c=y/z");
  CHECK(plans[3].set == std::vector<std::string>{"d=1", "a=2", "b.c=y/z"});
  CHECK(plans[3].folder == "a=2,b.c=y_z");
  const std::vector similar{parse_varied_setting("f=a/b,a_b," + std::string(300, 'x'))};
  std::set<std::filesystem::path> folders;
  for (const auto& plan : sweep_plans(base(), similar)) {
    CHECK(plan.folder.string().size() < 200);
    folders.insert(plan.folder);
  }
  CHECK(folders.size() == 3);
}

TEST_CASE("the command line's values stand in for those of the table") {
  const auto all = varied_together(
    two_settings, std::vector{parse_varied_setting("a=7"), parse_varied_setting("e=1,2")});
  REQUIRE(all.size() == 3);
  CHECK(all[0].values.size() == 1);
  CHECK(all[2].key == "e");
  CHECK_THROWS_AS(varied_together({}, std::vector{two_settings[0], two_settings[0]}),
                  std::invalid_argument);
  for (const char* text : {"seed=1,2", "sweep.seeds=1,2"})
    CHECK_THROWS_AS(varied_together({}, std::vector{parse_varied_setting(text)}),
                    std::invalid_argument);
}

TEST_CASE("a table has the mean and the interval of every combination") {
  const auto results = results_with([](const run_request&) { return false; });
  const auto t = sweep_table_of(results, two_settings, sweep_metrics(x_only));
  CHECK(t.problems.empty());
  REQUIRE(t.rows.size() == 4);
  CHECK(t.rows[2].values == std::vector<std::string>{"2", "x"});
  CHECK(t.rows[2].cells[0]->mean == 22);
  CHECK(sweep_text(t).rows[0] == std::vector<std::string>{"1", "x", "3", "12.0 ± 2.5"});
  CHECK(sweep_csv(t).header ==
        std::vector<std::string>{"a", "b.c", "seeds", "x", "x half_width_95"});
  CHECK(sweep_csv(t).rows[0][3] == "12");
  const auto json = sweep_json(t);
  CHECK(json["combinations"][3]["set"]["b.c"] == "y/z");
  CHECK(json["combinations"][3]["values"]["x"]["mean"] == 22);
}

TEST_CASE("runs that fail are told, and the seeds that did not still count") {
  const auto fails = [](const run_request& r) {
    return number_set(r, "a", 0) == 1 && (r.seed == 2 || r.set.back() == "b.c=x");
  };
  const auto t = sweep_table_of(results_with(fails), two_settings, sweep_metrics(x_only));
  REQUIRE(t.problems.size() == 4);
  CHECK(t.problems[0] == "a=1, b.c=x, seed 1: exit code 1: out of luck");
  CHECK(sweep_text(t).rows[0] == std::vector<std::string>{"1", "x", "0 of 3", "-"});
  CHECK(t.rows[1].ended == 2);
  CHECK(t.rows[1].cells[0]->mean == 12);
  CHECK(sweep_json(t)["combinations"][0]["values"]["x"].is_null());
}

TEST_CASE("runs that were left out are told in one line") {
  fake_launcher by([](const run_request& r) {
    return r.seed == 2 ? run_reply{results_unwritable, "no room", nullptr} : reply_with(1);
  });
  silent_monitor monitor;
  const auto results = execute(sweep_plans(base(), two_settings), 1, by, monitor);
  const auto t = sweep_table_of(results, two_settings, sweep_metrics(x_only));
  CHECK(t.problems ==
        std::vector<std::string>{"a=1, b.c=x, seed 2: exit code 3: no room",
                                 "10 runs were left out, as results cannot be written"});
  CHECK(t.rows[0].ended == 1);
  CHECK(t.rows[3].ended == 0);
}

TEST_CASE("a metric that no run has is a problem") {
  const auto results = results_with([](const run_request&) { return false; });
  const std::vector<std::string> metrics{"x", "{x} + {z}"};
  const auto t = sweep_table_of(results, two_settings, sweep_metrics(metrics));
  REQUIRE(t.problems.size() == 1);
  CHECK(t.problems[0].starts_with("no run has {x} + {z}: "));
  CHECK_THROWS_AS(sweep_metrics(std::vector<std::string>{"{x"}), std::invalid_argument);
  CHECK(sweep_metrics({}).size() > 3);
}
