#include "peers/comparison_row.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace troupe::peers {

namespace {

constexpr double tolerance = 0.01; ///< of the numbers of tasks

void keep_least(measured_run& least, const measured_run& next) {
  if (least.cpu == 0 || next.cpu < least.cpu)
    least = next;
}

template <class T>
std::vector<T> joined(std::vector<T> all, const std::vector<T>& more, bool with_more) {
  if (with_more)
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void print_work(const char* who, const measured_run& r) {
  std::printf("  %-5s %9llu tasks, delay %8.4f s", who, static_cast<unsigned long long>(r.tasks),
              r.delay);
  if (r.quality > 0)
    std::printf(", %8llu conflicts, quality %.3f", static_cast<unsigned long long>(r.conflicts),
                r.quality);
  std::printf("\n");
}

nlohmann::ordered_json run_json(const measured_run& r) {
  return {{"cpu_s", r.cpu},
          {"tasks", r.tasks},
          {"tasks_per_cpu_s", r.tasks_per_second()},
          {"peak_memory_mib", r.memory},
          {"delay_s", r.delay},
          {"conflicts", r.conflicts},
          {"quality", r.quality}};
}

} // namespace

bool comparison_row::same_work() const {
  const auto a = static_cast<double>(ours.tasks);
  const auto b = static_cast<double>(theirs.tasks);
  return std::abs(a - b) <= tolerance * b;
}

std::vector<comparison_row> measure(const comparison& what, const comparison_options& options) {
  std::vector<comparison_row> rows;
  for (const auto& p : what.peers)
    rows.push_back({what.name, p.name, {}, {}, what.by_rate});
  const auto overrides = joined(what.overrides, what.brief, options.brief);
  measured_run ours;
  for (unsigned round = 0; round < options.rounds; ++round) {
    keep_least(ours, run_troupe(options.scratch, options.troupe,
                                options.configs + "/" + what.config, overrides));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& p = what.peers[i];
      std::vector<std::string> words{TROUPE_PEERS "/" + p.program};
      words = joined(joined(words, p.arguments, true), p.brief, options.brief);
      keep_least(rows[i].theirs, run_peer(options.scratch, words));
    }
  }
  for (auto& row : rows)
    row.ours = ours;
  return rows;
}

void print_head() {
  std::printf("%-17s %-20s %8s %8s %7s %23s %15s\n", "", "", "CPU time", "", "", "tasks per CPU s",
              "memory in MiB");
  std::printf("%-17s %-20s %8s %8s %7s %11s %11s %7s %7s\n", "work", "peer", "ours", "peer",
              "ratio", "ours", "peer", "ours", "peer");
}

void print(const comparison_row& r) {
  std::printf("%-17s %-20s %6.2f s %6.2f s %7.2f %11.0f %11.0f %7.0f %7.0f%s\n", r.name.c_str(),
              r.peer.c_str(), r.ours.cpu, r.theirs.cpu, r.ratio(), r.ours.tasks_per_second(),
              r.theirs.tasks_per_second(), r.ours.memory, r.theirs.memory,
              r.same_work() ? "" : "  NOT THE SAME WORK");
  print_work("ours", r.ours);
  print_work("peer", r.theirs);
  std::fflush(stdout);
}

nlohmann::ordered_json to_json(const comparison_row& row) {
  return {{"work", row.name},
          {"peer", row.peer},
          {"ratio", row.ratio()},
          {"ratio_of", row.by_rate ? "tasks per CPU second" : "CPU time"},
          {"same_work", row.same_work()},
          {"ours", run_json(row.ours)},
          {"theirs", run_json(row.theirs)}};
}

} // namespace troupe::peers
