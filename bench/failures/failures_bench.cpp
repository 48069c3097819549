#include "failures/fault_trial.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// Runs every row of the table of failures on real processes with many tasks in flight. Measures the
// times to detection and recovery, and checks that every task has run, once.

namespace troupe::trials {

namespace {

namespace fs = std::filesystem;
using ordered_json = nlohmann::ordered_json;

struct bench_options {
  std::string troupe = TROUPE_PROGRAM;
  std::string config = TROUPE_CONFIGS "/cluster/failures.toml";
  std::string out = "results/bench";
  std::vector<std::string> architectures{"parsync", "two-level", "sparrow", "hybrid"};
  std::vector<std::string> rows;
  std::uint32_t machines = 9000;
  double rate = 5000;
  double work = 34;
  double at = 21;
  double outage = 5;
  double cut = 8;
  bool keep = false;
};

std::string seconds_text(const std::optional<milliseconds>& t) {
  return t ? fmt::format("{:.2f} s", static_cast<double>(t->count()) / 1000) : "-";
}

ordered_json seconds_json(const std::optional<milliseconds>& t) {
  return t ? ordered_json(static_cast<double>(t->count()) / 1000) : ordered_json(nullptr);
}

bool is_good(const trial_figures& f) {
  return f.checks && f.finished == f.submitted && f.not_finished == 0 && f.twice == 0 &&
         f.extra >= 0 && f.exit_code.value_or(0) == 0;
}

void print_head() {
  std::cout
    << "| what fails | detected after | replaced after | grants again after | whole again after | "
       "slowest "
       "second | in flight | ran there | placed anew | submitted | finished | granted twice "
       "| checks |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    << std::endl;
}

void print_row(const fault_row& row, const trial_figures& f) {
  std::cout << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                           row.name, seconds_text(f.detected), seconds_text(f.replaced),
                           seconds_text(f.grants), seconds_text(f.whole), f.slowest, f.in_flight,
                           f.ran_there, f.extra, f.submitted, f.finished, f.twice,
                           f.checks ? "PASS" : "FAIL")
            << std::endl;
}

ordered_json to_json(const std::string& architecture, const fault_row& row,
                     const trial_figures& f) {
  return {{"architecture", architecture},
          {"name", row.name},
          {"detected_s", seconds_json(f.detected)},
          {"replaced_s", seconds_json(f.replaced)},
          {"grants_s", seconds_json(f.grants)},
          {"whole_s", seconds_json(f.whole)},
          {"slowest_second", f.slowest},
          {"in_flight", f.in_flight},
          {"ran_there", f.ran_there},
          {"extra_placements", f.extra},
          {"submitted", f.submitted},
          {"finished", f.finished},
          {"granted_twice", f.twice},
          {"self_checks_passed", f.checks}};
}

bool is_wanted(const fault_row& row, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
           return row.name.find(name) != std::string::npos;
         });
}

trial_figures measure(const std::string& architecture, const fault_row& row,
                      const bench_options& options, const fs::path& scratch) {
  trial_plan plan;
  plan.architecture = architecture;
  plan.troupe = fs::absolute(options.troupe);
  plan.directory = scratch;
  plan.config = fs::absolute(options.config);
  plan.machines = options.machines;
  plan.overrides = {
    fmt::format("workload.phases=[{{length=\"{}s\", rate={}}}]", options.work, options.rate)};
  plan.fault_at = milliseconds{static_cast<std::int64_t>(options.at * 1000)};
  const auto lasts = row.action == fault_action::cut ? options.cut : options.outage;
  plan.for_ = milliseconds{static_cast<std::int64_t>(lasts * 1000)};
  return try_fault(row, plan);
}

fs::path new_directory() {
  auto name = (fs::temp_directory_path() / "troupe-failures-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create " + name);
  return name;
}

/// Appends to `rows`; returns whether the row is good. Otherwise the logs are kept.
bool try_row(const std::string& architecture, const fault_row& row, const bench_options& options,
             ordered_json& rows) {
  const auto scratch = new_directory();
  bool good = false;
  try {
    const auto figures = measure(architecture, row, options, scratch);
    print_row(row, figures);
    rows.push_back(to_json(architecture, row, figures));
    good = is_good(figures);
  } catch (const std::runtime_error& e) {
    std::cout << "| " << row.name << " | " << e.what() << " |" << std::endl;
  }
  if (good && !options.keep)
    fs::remove_all(scratch);
  else
    std::cerr << architecture << ", " << row.name << ": see " << scratch.string() << std::endl;
  return good;
}

/// Throws `std::runtime_error` if no architecture has a row that is wanted.
void check_rows(const bench_options& options) {
  std::string names;
  for (const auto& row : fault_rows()) {
    names += fmt::format("\n  {}", row.name);
    for (const auto& architecture : options.architectures)
      if (is_wanted(row, options.rows) && applies_to(row, architecture))
        return;
  }
  throw std::runtime_error(
    fmt::format("--rows {}: no row of {} has such a name; expected part of one of these:{}",
                fmt::join(options.rows, " "), fmt::join(options.architectures, ", "), names));
}

int run(const bench_options& options) {
  check_rows(options);
  const auto no_network = host_network::why_not();
  ordered_json rows = ordered_json::array();
  bool good = true;
  for (const auto& architecture : options.architectures) {
    std::cout << "\n" << architecture << "\n\n";
    print_head();
    for (const auto& row : fault_rows()) {
      if (!is_wanted(row, options.rows) || !applies_to(row, architecture))
        continue;
      if (row.action == fault_action::cut && no_network)
        std::cerr << row.name << ": left out, as " << *no_network << std::endl;
      else
        good &= try_row(architecture, row, options, rows);
    }
  }
  fs::create_directories(options.out);
  std::ofstream{fs::path{options.out} / "failures.json"}
    << ordered_json{{"cores", std::thread::hardware_concurrency()},
                    {"machines", options.machines},
                    {"tasks_per_s", options.rate},
                    {"rows", rows}}
         .dump(2)
    << '\n';
  return good ? 0 : 1;
}

} // namespace

} // namespace troupe::trials

int main(int argc, char** argv) {
  troupe::trials::bench_options options;
  CLI::App app{"Measures what failures cost on real processes; each row takes a minute or more"};
  app.add_option("--troupe", options.troupe, "The program")->capture_default_str();
  app.add_option("--config", options.config, "The settings")->capture_default_str();
  app.add_option("--architectures", options.architectures, "Architectures of the clusters")
    ->check(CLI::IsMember({"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}))
    ->capture_default_str();
  app.add_option("--rows", options.rows, "Only rows whose names contain one of these");
  app.add_option("--machines", options.machines, "Of all nodes")->capture_default_str();
  app.add_option("--rate", options.rate, "Tasks per second")->capture_default_str();
  app.add_option("--work", options.work, "For so long jobs come, in seconds")
    ->capture_default_str();
  app.add_option("--at", options.at, "When it fails, in seconds")->capture_default_str();
  app.add_option("--outage", options.outage, "For how long, in seconds")->capture_default_str();
  app.add_option("--cut", options.cut, "For how long the network is cut, in seconds")
    ->capture_default_str();
  app.add_flag("--keep", options.keep, "Keep the logs and results of every cluster");
  app.add_option("--out", options.out, "Directory for failures.json")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return troupe::trials::run(options);
  } catch (const std::exception& e) {
    std::cerr << "failures_bench: " << e.what() << '\n';
    return 1;
  }
}
