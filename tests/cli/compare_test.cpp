#include "cli/mistakes.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe::test;

namespace {

/// Writes the configurations tiny.toml and full.toml, which differ in their architecture.
void write_two(const scratch& here) {
  here.write("tiny.toml", tiny_settings);
  here.write("full.toml",
             "extends = \"tiny.toml\"\nname = \"full\"\narchitecture = \"statesync\"\n");
}

} // namespace

TEST_CASE("compare shows configurations side by side, with intervals") {
  const scratch here;
  write_two(here);
  const auto run = here.run({"compare", "tiny.toml", "full.toml", "--seeds", "3"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "tiny"));
  CHECK(contains(run.out, "full"));
  CHECK(contains(run.out, "scheduling delay mean (s)"));
  CHECK(contains(run.out, " ± "));
  CHECK(contains(run.out, "Differences to tiny, paired by seed; * if"));
  CHECK_FALSE(contains(run.out, "did not get the same work"));
  CHECK(here.entries() == std::vector<std::string>{
                            "full.toml", "results", "results/compare", "results/compare/tiny-full",
                            "results/compare/tiny-full/report.html", "tiny.toml"});
  const auto page = read_file(here.path() / "results/compare/tiny-full/report.html");
  CHECK(contains(page, "Differences to tiny, paired by seed"));
  CHECK(contains(page, "\"label\":\"full\""));
}

TEST_CASE("pages of comparisons are named by the whole names of the runs") {
  const scratch here;
  const std::string brief = "extends = \"tiny.toml\"\nduration = \"1s\"\n";
  here.write("tiny.toml", tiny_settings);
  for (const std::string name : {"v1.0", "v1.1", "v1.2"})
    here.write(name + ".toml", brief + "name = \"" + name + "\"\n");
  here.write("same.1.toml", brief);
  here.write("same.2.toml", brief);
  for (const auto& [a, b] :
       {std::pair{"v1.0.toml", "v1.1.toml"}, std::pair{"v1.0.toml", "v1.2.toml"},
        std::pair{"same.1.toml", "same.2.toml"}})
    CHECK(here.run({"compare", a, b, "--seeds", "1", "-q"}).code == 0);
  for (const std::string name : {"v1.0-v1.1", "v1.0-v1.2", "same.1-same.2"})
    CHECK(std::filesystem::exists(here.path() / "results/compare" / name / "report.html"));
}

TEST_CASE("compare writes JSON whose values are those of the runs") {
  const scratch here;
  write_two(here);
  const auto run = here.run({"compare", "tiny.toml", "full.toml", "--seeds", "2", "--quiet",
                             "--metric", "tasks.submitted", "--format", "json", "--out", "kept"});
  CHECK(run.code == 0);
  CHECK(run.err == "");
  const auto result = nlohmann::json::parse(run.out);
  double sum = 0;
  for (const char* seed : {"seed-1", "seed-2"}) {
    const auto file = here.path() / "kept" / "full" / seed / "summary.json";
    sum += nlohmann::json::parse(read_file(file)).at("tasks").at("submitted").get<double>();
  }
  const auto& of = result.at("metrics").at(0).at("of");
  CHECK(of.at("full").at("mean") == sum / 2);
  CHECK(of.at("tiny").at("mean") == of.at("full").at("mean"));
  CHECK(result.at("seeds") == 2);
}

TEST_CASE("compare keeps the results below its folder, wherever the files are") {
  const scratch here;
  std::filesystem::create_directories(here.path() / "work");
  for (const char* file : {"a.toml", "b.toml"})
    here.write(file,
               std::string{tiny_settings}.substr(std::string{tiny_settings}.find("schedulers")));
  const auto absolute = (here.path() / "b.toml").string();
  const auto run = here.run({"compare", "work/../a.toml", absolute, "--seeds", "1", "-q",
                             "--no-report", "--metric", "tasks.placed", "--out", "work/keep"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(std::filesystem::exists(here.path() / "work/keep/work_.._a.toml/seed-1/summary.json"));
  std::size_t summaries = 0;
  for (const auto& name : here.entries()) {
    CAPTURE(name);
    CHECK((name == "a.toml" || name == "b.toml" || name.starts_with("work")));
    summaries += name.ends_with("/seed-1/summary.json");
  }
  CHECK(summaries == 2);
}

TEST_CASE("compare writes CSV and Markdown, and says when the work differs" * long_case) {
  const scratch here;
  write_two(here);
  here.write("more.toml", "extends = \"tiny.toml\"\nname = \"more\"\n[workload]\njobs = 20\n");
  const auto csv = here.run(
    {"compare", "tiny.toml", "--seeds", "1", "-q", "--format", "csv", "--metric", "quality.mean"});
  CHECK(csv.out.starts_with("metric,value,configuration,seeds,mean,stddev,half_width_95,"
                            "difference,difference_half_width_95,significant\r\n"
                            "quality.mean,{quality.mean},tiny,1,"));
  const auto markdown =
    here.run({"compare", "tiny.toml", "more.toml", "--seeds", "1", "-q", "--format", "markdown"});
  CHECK(markdown.code == 0);
  CHECK(markdown.out.starts_with("|  | tiny | more |\n|---|---:|---:|\n"));
  CHECK(contains(markdown.out, "The configurations did not get the same work. With seed 1"));
}

TEST_CASE("compare refuses what it cannot compare, before anything runs") {
  const scratch here;
  write_two(here);
  const std::vector<mistake> mistakes = {
    {{"compare"}, "CONFIG"},
    {{"compare", "none.toml"}, "none.toml: cannot be read"},
    {{"compare", "tiny.toml", "--set", "seeed=1"}, "'seeed' is unknown"},
    {{"compare", "tiny.toml", "--seeds", "0"}, "--seeds"},
    {{"compare", "tiny.toml", "--set", "seed=4"},
     "compare: --set seed=4: the runs have seeds 1 to N; expected --seeds N instead"},
    {{"compare", "tiny.toml", "--format", "poem"}, "poem"},
    {{"compare", "tiny.toml", "--metric", "{quality.mean"}, "without its }"},
    {{"compare", "tiny.toml", "--metric", "qualty.mean"}, "did you mean 'quality'?"},
    {{"compare", "tiny.toml", "--metric", "offers.made"}, "there is no 'offers'"},
  };
  check_refused(here, mistakes);
}
