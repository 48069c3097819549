#include "report/page/assets.hpp"
#include "report/page/page.hpp"
#include "report/page/run_directory.hpp"
#include "report/results/host_part.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

std::string data_in(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const auto at = page.find(begin) + begin.size();
  return page.substr(at, page.find("</script>", at) - at);
}

} // namespace

TEST_CASE("a page is self-contained, with its data, its tables and the licence of uPlot") {
  const run_directory here;
  const auto page = page_html(contents_for({here.path()}));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(has(page, "default-src 'none'"));
  CHECK(has(page, "<h1>sample-7</h1>"));
  CHECK(has(page, "<b>sample-7</b>: parsync with the policy quality-first+latency-first with 1,000 "
                  "machines and 3 schedulers for 2.00 s of virtual time, seed 7"));
  CHECK(has(page, "1\u00a0of\u00a02\u00a0pass"));
  CHECK(has(page, "<td>FAIL</td>"));
  CHECK(has(page, "scheduling_delay_s.p99"));
  CHECK(has(page_assets::plot_licence(), "The MIT License (MIT)"));
  CHECK(has(page, escaped(page_assets::plot_licence())));
  CHECK(has(page_assets::plot_library(), "var uPlot="));
  CHECK_FALSE(has(page, "<link"));
  CHECK_FALSE(has(page, " src="));
  CHECK_NOTHROW(nlohmann::ordered_json::parse(data_in(page)));
}

TEST_CASE("a page has tables of parallel jobs that were measured") {
  const run_directory plain;
  CHECK_FALSE(has(page_html(contents_for({plain.path()})), "Parallel jobs"));
  const run_directory here(sample_of_parallel_jobs());
  const auto page = page_html(contents_for({here.path()}));
  CHECK(has(page, "<h2>Parallel jobs</h2>"));
  CHECK(has(page, "tasks: 2-4"));
  CHECK_FALSE(has(page, "tasks: 5-16")); // there is none
  CHECK(has(page, "estimate: to_10_min"));
}

TEST_CASE("names cannot break out of their place") {
  auto results = sample_results();
  results.name = "</script><script>alert(1)</script>\"'\xc3\xa9";
  results.groups[0].name = "<img src=x>";
  const run_directory here(results);
  const run_directory plain;
  const auto page = page_html(contents_for({here.path()}));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "<img"));
  CHECK(count_of(page, "<script") == count_of(page_html(contents_for({plain.path()})), "<script"));
  CHECK(has(page, "\xc3\xa9"));
  const auto data = nlohmann::ordered_json::parse(data_in(page));
  CHECK(data["lines"][0]["label"] == "<img src=x>");
}

TEST_CASE("equal runs have equal pages but for the part about the host") {
  auto results = sample_results();
  const run_directory one(results);
  results.host = {99, 98, 97, "9.9"};
  const run_directory two(results);
  const auto a = page_html(contents_for({one.path()}));
  const auto b = page_html(contents_for({two.path()}));
  CHECK(a != b);
  CHECK(without_host_part(a) == without_host_part(b));
  CHECK(without_host_part(a).size() < a.size());
}

TEST_CASE("several runs share their plots, each under its own name") {
  auto results = sample_results();
  const run_directory one(results);
  results.seed = 8;
  const run_directory two(results);
  const run_directory again(results);
  const auto contents = contents_for({one.path(), two.path(), again.path()});
  CHECK(contents.runs[0].label == "sample-7");
  CHECK(contents.runs[1].label == "sample-8");
  CHECK(contents.runs[2].label == again.path().string());
  const auto data = nlohmann::ordered_json::parse(data_in(page_html(contents)));
  CHECK(data["lines"].size() == 6);
  CHECK(data["lines"][2]["label"] == "sample-8, a");
}

TEST_CASE("results that are missing or damaged are refused by name") {
  const auto refusal = [](const run_directory& here) -> std::string {
    try {
      contents_for({here.path()});
      return "";
    } catch (const std::runtime_error& e) {
      return e.what();
    }
  };
  const run_directory here;
  CHECK(refusal(here).empty());
  std::filesystem::remove(here.path() / "delays.csv"); // as in results of earlier versions
  CHECK(refusal(here).empty());
  here.put("timeseries.csv", "from_s,to_s\r\n1,x\r\n");
  CHECK(has(refusal(here), "timeseries.csv:2: column 'to_s': \"x\""));
  here.put("timeseries.csv", "a,b\r\n1,2\r\n");
  CHECK(has(refusal(here), "timeseries.csv: it has no column 'group'"));
  here.put("config.toml", "a = \n");
  CHECK(has(refusal(here), "config.toml is not TOML"));
  here.put("summary.json", "{\"name\": \"x\"}");
  CHECK(has(refusal(here), "summary.json is damaged, or not the summary of a run"));
  std::filesystem::remove(here.path() / "summary.json");
  CHECK(has(refusal(here), "it has no summary.json"));
}

TEST_CASE("the page of four long runs stays below 3 MB") {
  auto results = sample_results();
  results.groups.resize(1);
  auto row = results.series[0];
  results.series.clear();
  for (int i = 0; i < 5000; ++i) {
    row.from = std::chrono::seconds{i};
    row.to = std::chrono::seconds{i + 1};
    row.sample.delay.add(0.1 + i / 3.0);
    row.sample.conflicts = static_cast<std::uint64_t>(i % 7);
    row.utilization = i / 7000.0;
    results.series.push_back(row);
  }
  const run_directory here(results);
  const auto page = page_html(contents_for({here.path(), here.path(), here.path(), here.path()}));
  CHECK(page.size() < 3'000'000);
  CHECK(page.size() > 300'000);
}
