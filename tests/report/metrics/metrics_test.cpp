#include "report/metrics/metric_table.hpp"
#include "report/metrics/metrics_text.hpp"
#include "report/metrics/watched_state.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string file_text(const std::string& name) {
  std::ifstream in{std::string{TROUPE_SOURCE_DIR} + '/' + name};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The value of one line such as `troupe_tasks{state="queued"}`; an empty text without it.
std::string value_in(const std::string& text, const std::string& series) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(series + ' '))
      return line.substr(series.size() + 1);
  return "";
}

std::set<std::string> names_with_parts() {
  std::set<std::string> names;
  for (const auto& m : metric_table()) {
    names.emplace(m.name);
    if (m.sort == metric_sort::histogram)
      for (const auto* part : {"_bucket", "_sum", "_count"})
        names.insert(std::string{m.name} + part);
  }
  return names;
}

} // namespace

TEST_CASE("names of metrics follow the conventions of Prometheus") {
  std::set<std::string_view> seen;
  for (const auto& m : metric_table()) {
    CAPTURE(m.name);
    CHECK(seen.insert(m.name).second);
    CHECK((m.name.starts_with("troupe_") || m.name.starts_with("process_")));
    CHECK(m.name.ends_with("_total") == (m.sort == metric_sort::counter));
    CHECK(m.help.ends_with("."));
    if (m.sort == metric_sort::histogram)
      CHECK(m.name.ends_with("_seconds"));
  }
}

TEST_CASE("every value has the labels of its metric, and no metric is left out") {
  const auto state = watched_state("real");
  const auto process = process_figures::read();
  std::set<std::string_view> elsewhere{"troupe_nodes", "troupe_offers_total"}; // of other clusters
  for (const auto& m : metric_table()) {
    CAPTURE(m.name);
    const auto all = m.read(state, process);
    CHECK(all.empty() == elsewhere.contains(m.name));
    std::set<std::vector<std::string>> labels;
    for (const auto& v : all) {
      CHECK(v.labels.size() == m.labels.size());
      CHECK(labels.insert(v.labels).second);
      CHECK(v.value >= 0);
      if (m.sort == metric_sort::histogram) {
        REQUIRE_FALSE(v.buckets.empty());
        CHECK(v.buckets.back().count == v.count);
      }
    }
  }
}

TEST_CASE("metrics say what the state says") {
  const auto text = metrics_text(watched_state("real"));
  CHECK(value_in(text, "troupe_tasks{state=\"queued\"}") == "30");
  CHECK(value_in(text, "troupe_tasks_submitted_total{group=\"a\"}") == "14");
  CHECK(value_in(text, "troupe_members{role=\"owner\",state=\"up\"}") == "2");
  CHECK(value_in(text, "troupe_members{role=\"owner\",state=\"silent\"}") == "0");
  CHECK(value_in(text, "troupe_failovers_total{role=\"owner\"}") == "1");
  CHECK(value_in(text, "troupe_machines{state=\"up\"}") == "10");
  CHECK(value_in(text, "troupe_machines{state=\"down\"}") == "2");
  CHECK(value_in(text, "troupe_queue_tasks{scheduler=\"1\"}") == "20");
  CHECK(value_in(text, "troupe_decision_seconds_total{scheduler=\"0\"}") == "0.5");
  CHECK(value_in(text, "troupe_owner_conflicts_total{owner=\"0\",cause=\"changed\"}") == "4");
  CHECK(value_in(text, "troupe_scheduling_delay_seconds_count{group=\"a\"}") == "2");
  CHECK(value_in(text, "troupe_scheduling_delay_seconds_bucket{group=\"a\",le=\"0.2\"}") == "0");
  CHECK(value_in(text, "troupe_scheduling_delay_seconds_bucket{group=\"a\",le=\"1\"}") == "2");
  CHECK(value_in(text, "troupe_scheduling_delay_seconds_bucket{group=\"a\",le=\"+Inf\"}") == "2");
  CHECK(std::stod(value_in(text, "troupe_recorder_sample_timestamp_seconds")) == 1.7e9 + 2);
  CHECK(std::stod(value_in(text, "process_resident_memory_bytes")) > 1e6);
  CHECK(std::stod(value_in(text, "process_start_time_seconds")) > 1.6e9);
  CHECK(text.back() == '\n');
}

TEST_CASE("in virtual time there are no instants, and names may have any characters") {
  auto state = watched_state("virtual");
  state.about.origin = 0;
  state.about.groups[0].name = "a \"b\"\\\nc";
  const auto text = metrics_text(state);
  CHECK(value_in(text, "troupe_recorder_sample_timestamp_seconds").empty());
  CHECK(value_in(text, R"(troupe_tasks_submitted_total{group="a \"b\"\\\nc"})") == "14");
}

TEST_CASE("the documented table of metrics is that of the program") {
  const auto table = metric_table_text();
  const auto page = file_text("docs/metrics.md");
  INFO("docs/metrics.md has to have this table:\n" << table);
  const bool same = page.find(table) != std::string::npos;
  CHECK(same);
}

TEST_CASE("the dashboard asks for metrics that there are") {
  const auto board = nlohmann::json::parse(file_text("docs/grafana.json"));
  const auto names = names_with_parts();
  const std::regex name{"(troupe|process)_[a-z_]+"};
  std::size_t queries = 0;
  const auto check = [&](const std::string& query) {
    CAPTURE(query);
    std::size_t found = 0;
    for (std::sregex_iterator it{query.begin(), query.end(), name}, end; it != end; ++it, ++found) {
      CAPTURE(it->str());
      CHECK(names.contains(it->str()));
    }
    CHECK(found > 0);
    ++queries;
  };
  for (const auto& panel : board.at("panels"))
    for (const auto& target : panel.at("targets"))
      check(target.at("expr").get<std::string>());
  CHECK(queries >= 10);
}

TEST_CASE("promtool finds no fault with the text") {
  if (std::system("command -v promtool > /dev/null") != 0) {
    MESSAGE("skipped: promtool is not installed");
    return;
  }
  const auto name = "metrics-" + std::to_string(getpid()) + ".txt";
  for (const auto* world : {"real", "virtual", "cluster"}) {
    std::ofstream{name} << metrics_text(watched_state(world));
    const auto code =
      std::system(("promtool check metrics < " + name + " > " + name + ".out 2>&1").c_str());
    std::ifstream in{name + ".out"};
    const std::string said{std::istreambuf_iterator<char>{in}, {}};
    CAPTURE(said);
    CHECK(code == 0);
    CHECK(said.empty());
  }
  std::remove(name.c_str());
  std::remove((name + ".out").c_str());
}
