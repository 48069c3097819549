#include "experiments/compare/comparison_json.hpp"
#include "experiments/temp_folder.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::test;

namespace {

using json = nlohmann::ordered_json;

seed_result seed(std::uint64_t number, double delay, int tasks, std::vector<std::string> groups) {
  json summary{{"tasks", {{"submitted", tasks}}},
               {"jobs", {{"submitted", 10}}},
               {"scheduling_delay_s", {{"mean", delay}}},
               {"groups", json::array()}};
  for (const auto& group : groups)
    summary["groups"].push_back({{"name", group}, {"scheduling_delay_s", {{"mean", delay + 1}}}});
  return {number, summary, "", {}};
}

run_result run(const std::string& name, std::vector<seed_result> seeds) {
  run_result r{.plan = {name, name + ".toml", {}, seeds.size(), {}}};
  r.seeds = std::move(seeds);
  return r;
}

const comparison::row& row(const comparison& c, const std::string& label) {
  for (const auto& r : c.rows)
    if (r.label == label)
      return r;
  FAIL("no row " << label);
  return c.rows.front();
}

} // namespace

TEST_CASE("configurations are named by their settings, or else by their files") {
  const temp_folder here;
  const std::string phase = "[[workload.phases]]\nrate = 5\n";
  const auto a = here.write("a.toml", "name = \"one\"\n" + phase).string();
  const auto b = here.write("b.toml", "name = \"two\"\n" + phase).string();
  const auto c = here.write("c.toml", "name = \"two\"\n" + phase).string();
  const std::vector files{a, b, c, a};
  const auto plans = comparison_plans(files, {"schedulers=3"}, 4);
  REQUIRE(plans.size() == 4);
  CHECK(plans[0].name == a);
  CHECK(plans[1].name == b);
  CHECK(plans[2].name == c);
  CHECK(plans[3].name == a + " (2)");
  const std::vector two{a, b};
  CHECK(comparison_plans(two, {}, 4)[1].name == "two");
  CHECK(plans[0].seeds == 4);
  CHECK_THROWS_AS(comparison_plans(two, {"schedulers=0"}, 4), settings_error);
}

TEST_CASE("the folders of a comparison are plain names, each of its own") {
  const temp_folder here;
  const std::string phase = "[[workload.phases]]\nrate = 5\n";
  const auto a = here.write("x/a.toml", phase).string();
  here.write("b_a.toml", phase);
  here.write("b/a.toml", phase);
  const auto below = (here.path() / "b").string();
  const std::vector files{a, below + "/a.toml", below + "_a.toml", below + "/../b/a.toml"};
  const auto plans = comparison_plans(files, {}, 1);
  std::set<std::string> folders;
  for (const auto& plan : plans) {
    const auto folder = plan.folder.string();
    CAPTURE(folder);
    CHECK(plan.folder.filename() == plan.folder);
    CHECK(folder != "..");
    CHECK(folders.insert(folder).second);
  }
  CHECK(comparison_plans(
          std::vector{here.write("c.toml", "name = \"plain name\"\n" + phase).string()}, {}, 1)[0]
          .folder == "plain name");
}

TEST_CASE("values stand side by side, missing ones are left empty") {
  const std::vector results{run("p", {seed(1, 1, 50, {"all"}), seed(2, 3, 60, {"all"})}),
                            run("s", {seed(1, 5, 50, {"all"}), seed(2, 5, 60, {"all"})})};
  const auto c = compare(results, {});
  CHECK(c.names == std::vector<std::string>{"p", "s"});
  const auto& delay = row(c, "scheduling delay mean (s)");
  CHECK(delay.cells[0]->mean == 2);
  CHECK(delay.cells[1]->mean == 5);
  CHECK_FALSE(row(c, "quality").cells[0]);
  CHECK(c.remarks.empty());
  CHECK(c.problems.empty());
  for (const auto& r : c.rows)
    CHECK(r.label.find("group") == std::string::npos);
}

TEST_CASE("the metrics of parallel jobs are compared where a run has them") {
  auto measured = seed(1, 1, 50, {});
  measured.summary["parallel_jobs"] = {{"wait_s", {{"mean", 7}}}, {"loss_of_capacity", 0.25}};
  const std::vector results{run("p", {measured}), run("s", {seed(1, 5, 50, {})})};
  const auto c = compare(results, {});
  CHECK(row(c, "job wait mean (s)").cells[0]->mean == 7);
  CHECK(row(c, "loss of capacity").cells[0]->mean == 0.25);
  CHECK_FALSE(row(c, "job wait mean (s)").cells[1]);
  for (const auto& r : compare(std::vector{results[1]}, {}).rows)
    CHECK(r.label != "job wait mean (s)");
}

TEST_CASE("different work is pointed out") {
  const std::vector results{run("p", {seed(1, 1, 50, {}), seed(2, 3, 60, {})}),
                            run("s", {seed(1, 5, 50, {}), seed(2, 5, 61, {})})};
  const auto c = compare(results, {});
  REQUIRE(c.remarks.size() == 1);
  CHECK(c.remarks[0] == "The configurations did not get the same work. With seed 2: p: 60 tasks in "
                        "10 jobs; s: 61 tasks in 10 jobs");
}

TEST_CASE("several groups have a row each") {
  const std::vector results{run("p", {seed(1, 1, 50, {"A", "B"})}),
                            run("s", {seed(1, 5, 50, {"all"})})};
  const auto c = compare(results, {});
  CHECK(row(c, "  mean of group B (s)").cells[0]->mean == 2);
  CHECK_FALSE(row(c, "  mean of group B (s)").cells[1]);
  CHECK(row(c, "  mean of group all (s)").cells[1]->mean == 6);
}

TEST_CASE("metrics are paths or expressions; one that nobody has is a problem") {
  const std::vector results{run("p", {seed(1, 4, 50, {})})};
  const std::vector<std::string> metrics{"scheduling_delay_s.mean",
                                         "{tasks.submitted} / {jobs.submitted}", "nonsense"};
  const auto c = compare(results, metrics);
  REQUIRE(c.rows.size() == 3);
  CHECK(c.rows[0].cells[0]->mean == 4);
  CHECK(c.rows[1].cells[0]->mean == 5);
  REQUIRE(c.problems.size() == 1);
  CHECK(c.problems[0].find("no configuration has nonsense") != std::string::npos);
}

TEST_CASE("a comparison is written as a table, a list and JSON") {
  const std::vector results{run("p", {seed(1, 1, 50, {}), seed(2, 3, 50, {})}),
                            run("s", {seed(1, 0.1, 50, {}), seed(2, 0.1, 50, {})})};
  const std::vector<std::string> metrics{"scheduling_delay_s.mean"};
  const auto c = compare(results, metrics);
  CHECK(comparison_table(c).to_plain() == "                              p      s\n"
                                          "scheduling_delay_s.mean  2 ± 13  0.100\n"
                                          "");
  const auto list = comparison_list(c);
  REQUIRE(list.rows.size() == 2);
  const auto& cells = list.rows[1];
  REQUIRE(cells.size() == list.header.size());
  CHECK(std::vector(cells.begin(), cells.begin() + 7) ==
        std::vector<std::string>{"scheduling_delay_s.mean", "{scheduling_delay_s.mean}", "s", "2",
                                 "0.1", "0", "0"});
  CHECK(std::stod(cells[7]) == doctest::Approx(-1.9));
  CHECK(std::stod(cells[8]) == doctest::Approx(12.7062)); // t(1) = 12.706
  CHECK(cells[9] == "no");
  const auto j = comparison_json(c);
  CHECK(j["metrics"][0]["of"]["p"]["mean"] == 2);
  CHECK(j["configurations"][1]["file"] == "s.toml");
  CHECK(j["seeds"] == 2);
}

TEST_CASE("differences are paired by seed, and marked where they are significant") {
  // The seeds differ by far more than the configurations do.
  const std::vector results{
    run("p", {seed(1, 1, 50, {}), seed(2, 30, 50, {}), seed(3, 9, 50, {})}),
    run("s", {seed(1, 2, 50, {}), seed(2, 31.1, 50, {}), seed(3, 9.9, 50, {})}),
    run("t", {seed(1, 3, 50, {}), seed(2, 25, 50, {}), seed(3, 9, 50, {})})};
  const std::vector<std::string> metrics{"scheduling_delay_s.mean"};
  const auto c = compare(results, metrics);
  const auto& differences = c.rows[0].differences;
  REQUIRE(differences.size() == 3);
  CHECK_FALSE(differences[0]);
  CHECK(differences[1]->mean == doctest::Approx(1));
  CHECK(differences[1]->half_width == doctest::Approx(0.2484).epsilon(0.001)); // t(2) = 4.303
  CHECK(is_significant(*differences[1]));
  CHECK_FALSE(is_significant(*differences[2]));
  const auto table = comparison_differences(c);
  CHECK(table.header == std::vector<std::string>{"", "s", "t"});
  CHECK(table.rows[0][1] == "+1.00 ± 0.25 *");
  CHECK(table.rows[0][2].find('*') == std::string::npos);
  CHECK(comparison_json(c)["metrics"][0]["difference"]["s"]["significant"] == true);
  CHECK(differences_title(c) ==
        "Differences to p, paired by seed; * if the 95 % confidence interval excludes 0");
}

TEST_CASE("one seed tells of no significance") {
  const std::vector results{run("p", {seed(1, 1, 50, {})}), run("s", {seed(1, 2, 50, {})})};
  const auto c = compare(results, std::vector<std::string>{"scheduling_delay_s.mean"});
  CHECK_FALSE(is_significant(*c.rows[0].differences[1]));
  CHECK(comparison_differences(c).rows[0][1] == "+1");
}
