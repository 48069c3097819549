#pragma once

#include "experiments/experiment.hpp"
#include "experiments/launcher.hpp"
#include "experiments/statistics.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace troupe {

/// What a run of one seed gave.
struct seed_result {
  std::uint64_t seed = 0;
  nlohmann::ordered_json summary;         ///< as in `run_reply`
  std::string failure{};                  ///< why there is none, for the user; else empty
  std::vector<std::string> failed_checks; ///< "name: detail" of each failed self-check
};

/// What a search tried.
struct search_step {
  std::int64_t value = 0;
  bool good = false;
  bool verifying = false;         ///< tried once the search was over
  std::vector<estimate> values{}; ///< of what the goal names, in its order
  std::optional<estimate> lack{}; ///< as in `goal_report`
};

/// What a planned run gave.
struct run_result {
  planned_run plan;
  std::vector<seed_result> seeds{};    ///< of a search: of the value found, or else last tried
  std::vector<search_step> steps{};    ///< of a search
  std::optional<std::int64_t> found{}; ///< by a search
  std::string failure{};               ///< why a search came to no end; else empty
  std::vector<std::string> problems{}; ///< runs that failed and self-checks that did, all steps
};

/// How far the execution has come.
struct execution_progress {
  std::size_t done = 0;
  std::size_t total = 0; ///< a search counts with the steps that it may still need
  std::size_t running = 0;
  std::size_t reused = 0; ///< of those done, by use of earlier results
  std::string last;       ///< the run that ended last
};

/// Hears how the execution goes.
class execution_monitor {
public:
  virtual ~execution_monitor() = default;

  virtual void progress(const execution_progress& at) = 0;

  /// A run failed; `text` says which, and how.
  virtual void failed(const std::string& text) = 0;

  /// A search has tried a value.
  virtual void stepped(const planned_run&, const search_step&) {}
};

/// Runs all of `plans` with each of their seeds, `jobs` at a time, in the order of their listing,
/// and returns what each gave, in the same order. Searches go on side by side. Returns early, with
/// what there is, if a stop is requested.
std::vector<run_result> execute(std::span<const planned_run> plans, std::size_t jobs, launcher& by,
                                execution_monitor& monitor);

} // namespace troupe
