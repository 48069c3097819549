#include "failures/fault_report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
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
  std::uint32_t jobs = 1;
  bool keep = false;
};

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

/// A row of one architecture, and what became of it.
struct tried_row {
  std::string architecture;
  const fault_row* row = nullptr;
  std::string text;       ///< for the table
  std::string kept{};     ///< where its logs are kept
  ordered_json figures{}; ///< null: the cluster did not come to the end of the trial
  bool good = false;
};

/// Keeps the logs of a row that is not good.
void try_row(tried_row& tried, const bench_options& options) {
  const auto scratch = new_directory();
  try {
    const auto figures = measure(tried.architecture, *tried.row, options, scratch);
    tried.text = table_row(*tried.row, figures);
    tried.figures = to_json(tried.architecture, *tried.row, figures);
    tried.good = is_good(figures);
  } catch (const std::exception& e) {
    tried.text = fmt::format("| {} | {} |", tried.row->name, e.what());
  }
  if (tried.good && !options.keep)
    fs::remove_all(scratch);
  else
    tried.kept = scratch.string();
}

/// Tries rows, several at a time, and prints each once those before it are printed.
class row_queue {
public:
  row_queue(std::vector<tried_row> rows, const bench_options& options)
    : rows_(std::move(rows)), is_done_(rows_.size()), options_(options) {}

  const std::vector<tried_row>& run() {
    std::vector<std::jthread> workers;
    for (std::uint32_t n = 0; n < options_.jobs; ++n)
      workers.emplace_back([this] { work(); });
    workers.clear();
    return rows_;
  }

private:
  void work() {
    for (auto n = next_++; n < rows_.size(); n = next_++) {
      try_row(rows_[n], options_);
      const std::lock_guard lock{printing_};
      is_done_[n] = true;
      while (printed_ < rows_.size() && is_done_[printed_])
        print(printed_++);
    }
  }

  void print(std::size_t n) const {
    const auto& row = rows_[n];
    if (n == 0 || rows_[n - 1].architecture != row.architecture)
      std::cout << '\n' << row.architecture << "\n\n" << table_head() << '\n';
    std::cout << row.text << std::endl;
    if (!row.kept.empty())
      std::cerr << row.architecture << ", " << row.row->name << ": see " << row.kept << std::endl;
  }

  std::vector<tried_row> rows_;
  std::vector<bool> is_done_;
  const bench_options& options_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex printing_;
  std::size_t printed_ = 0;
};

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

/// Returns the rows to try. Tells which are left out.
std::vector<tried_row> wanted_rows(const bench_options& options) {
  const auto no_network = host_network::why_not();
  std::vector<tried_row> rows;
  for (const auto& architecture : options.architectures)
    for (const auto& row : fault_rows()) {
      if (!is_wanted(row, options.rows) || !applies_to(row, architecture))
        continue;
      if (row.action == fault_action::cut && no_network)
        std::cerr << row.name << ": left out, as " << *no_network << std::endl;
      else
        rows.push_back({architecture, &row, {}});
    }
  return rows;
}

int run(const bench_options& options) {
  check_rows(options);
  row_queue all{wanted_rows(options), options};
  ordered_json rows = ordered_json::array();
  bool good = true;
  for (const auto& tried : all.run()) {
    if (!tried.figures.is_null())
      rows.push_back(tried.figures);
    good &= tried.good;
  }
  fs::create_directories(options.out);
  std::ofstream{fs::path{options.out} / "failures.json"}
    << ordered_json{{"cores", std::thread::hardware_concurrency()},
                    {"machines", options.machines},
                    {"tasks_per_s", options.rate},
                    {"rows_at_a_time", options.jobs},
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
  app
    .add_option("--jobs,-j", options.jobs,
                "Rows at a time; their clusters share the processors: lower the rate")
    ->check(CLI::Range(1, 64))
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
