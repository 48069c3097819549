#include "experiments/compare/csv_json.hpp"
#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/value_error.hpp"
#include "report/json/toml_json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace troupe;

namespace {

using json = nlohmann::ordered_json;

json sample() {
  auto s = json::parse(R"({
    "conflicts": 7,
    "interrupted": false,
    "quality": {"mean": null},
    "scheduling_delay_s": {"mean": 0.5, "p50": 0.25},
    "groups": [{"name": "A", "conflicts": 3}, {"name": "B", "conflicts": 4}],
    "phases": [
      {"from_s": 0, "group": "A", "x": 1}, {"from_s": 0, "group": "B", "x": 2},
      {"from_s": 30, "group": "A", "x": 3}, {"from_s": 30, "group": "B", "x": 4}]
  })");
  s["config"] = json_of_toml("schedulers = 3\n[sync]\ngap = \"500ms\"\n[workload]\nphases = [{ "
                             "rate = 1.5 }, { rate = 2.5 }]\nkind = \"burst\"\n");
  s["series"] = json_of_csv("from_s,to_s,group,delay\r\n0,1,A,0.5\r\n0,1,B,\r\n1,2,A,0.75\r\n"
                            "1,2,B,\"1\"\r\n",
                            "group");
  return s;
}

std::string path_refusal(const std::string& path) {
  try {
    value_at(sample(), path);
  } catch (const value_error& error) {
    return error.what();
  }
  return "found";
}

} // namespace

TEST_CASE("a path names a number in a summary") {
  const auto s = sample();
  CHECK(value_at(s, "conflicts") == 7);
  CHECK(value_at(s, "scheduling_delay_s.p50") == 0.25);
  CHECK(value_at(s, "interrupted") == 0);
  CHECK(value_at(s, "groups.B.conflicts") == 4);
  CHECK(value_at(s, "groups.1.conflicts") == 3);
}

TEST_CASE("a phase is named by its number and its group") {
  auto s = sample();
  CHECK(value_at(s, "phases.1.B.x") == 2);
  CHECK(value_at(s, "phases.2.A.x") == 3);
  for (const int second : {3, 1})
    s["phases"].erase(static_cast<std::size_t>(second));
  CHECK(value_at(s, "phases.2.x") == 3);
  CHECK(value_at(s, "phases.2.A.x") == 3);
}

TEST_CASE("settings and intervals have paths, too") {
  const auto s = sample();
  CHECK(value_at(s, "config.schedulers") == 3);
  CHECK(value_at(s, "config.sync.gap") == 0.5);
  CHECK(value_at(s, "series.0.A.delay") == 0.5);
  CHECK(value_at(s, "series.1.A.delay") == 0.75);
  CHECK(value_at(s, "series.1.B.delay") == 1);
  CHECK(value_at(s, "config.workload.phases.2.rate") == 2.5);
}

TEST_CASE("a stretch of intervals is put together") {
  const auto s = sample();
  CHECK(value_at(s, "series.0-1.A.delay.mean") == 0.625);
  CHECK(value_at(s, "series.0-1.A.delay.max") == 0.75);
  CHECK(value_at(s, "series.0-0.A.delay.min") == 0.5);
  CHECK(value_at(s, "series.0-9.A.delay.stddev") == doctest::Approx(0.125 * std::sqrt(2.0)));
  CHECK(path_refusal("series.2-9.A.delay.max").find("no interval in '2-9'") != std::string::npos);
  CHECK(path_refusal("series.0-1.B.delay.max").find("no number in column 'delay' at 0") !=
        std::string::npos);
  CHECK(path_refusal("series.x-1.A.delay.max").find("no interval in 'x-1'") != std::string::npos);
  CHECK(path_refusal("series.0-1.A.delay").find("that is a table") != std::string::npos);
}

TEST_CASE("a path that leads to no number says how far it goes") {
  CHECK(path_refusal("quality.mean") == "quality.mean: nothing was measured there (null)");
  CHECK(path_refusal("qualty.mean") ==
        "qualty.mean: there is no 'qualty'; did you mean 'quality'?");
  CHECK(path_refusal("quality.zzzzzz").find("there are mean") != std::string::npos);
  CHECK(path_refusal("quality").find("that is a table") != std::string::npos);
  CHECK(path_refusal("conflicts.more").find("nothing below 'conflicts'") != std::string::npos);
  CHECK(path_refusal("groups.C.conflicts").find("has 2 elements, and none is 'C'") !=
        std::string::npos);
  CHECK(path_refusal("groups.0.conflicts").find("none is '0'") != std::string::npos);
  CHECK(path_refusal("phases.3.A.x").find("has 2 phases") != std::string::npos);
  CHECK(path_refusal("phases.one.A.x").find("has 2 phases") != std::string::npos);
  CHECK(path_refusal("phases.1.x").find("there are the groups A, B") != std::string::npos);
  CHECK(path_refusal("series.2.A.delay").find("no interval with second '2'") != std::string::npos);
  CHECK(path_refusal("series.0.B.delay").find("null") != std::string::npos);
  CHECK(path_refusal("config.workload.kind") == "config.workload.kind: that is the text \"burst\"");
}
