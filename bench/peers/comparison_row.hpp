#pragma once

#include "peers/comparisons.hpp"
#include "peers/measured_run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <vector>

namespace troupe::peers {

/// How comparisons are measured.
struct comparison_options {
  std::string troupe;  ///< the program
  std::string configs; ///< the directory
  std::filesystem::path scratch;
  unsigned rounds = 3;
  bool brief = false;
};

/// Troupe beside one of its peers, each with the least CPU time of its runs.
struct comparison_row {
  std::string name;
  std::string peer;
  measured_run ours;
  measured_run theirs;
  bool by_rate = false;

  /// Ours to theirs: of the CPU times, or of the tasks per CPU second.
  double ratio() const {
    return by_rate ? ours.tasks_per_second() / theirs.tasks_per_second() : ours.cpu / theirs.cpu;
  }

  /// Whether both have placed about as many tasks, as is required of equal work.
  bool same_work() const;
};

/// Runs Troupe and the peers in turn, round by round.
std::vector<comparison_row> measure(const comparison& what, const comparison_options& options);

void print_head();
void print(const comparison_row& row);
nlohmann::ordered_json to_json(const comparison_row& row);

} // namespace troupe::peers
