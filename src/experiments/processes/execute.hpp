#pragma once

#include "experiments/compare/statistics.hpp"
#include "experiments/expectations/experiment.hpp"
#include "experiments/processes/launcher.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace troupe {

/// The failure of a run that was not started.
inline constexpr const char* run_left_out = "no run, as results cannot be written";

/// The result of a run with one seed.
struct seed_result {
  std::uint64_t seed = 0;
  nlohmann::ordered_json summary;         ///< as in `run_reply`
  std::string failure{};                  ///< why there is no summary, for the user; else empty
  std::vector<std::string> failed_checks; ///< "name: detail" of each failed self-check
};

/// One step of a search.
struct search_step {
  std::int64_t value = 0;
  bool good = false;
  bool verifying = false;         ///< tried after the search was over
  std::vector<estimate> values{}; ///< of the values that the goal names, in its order
  std::optional<estimate> lack{}; ///< as in `goal_report`
};

/// The result of a planned run.
struct run_result {
  planned_run plan;
  std::vector<seed_result> seeds{};    ///< of a search: of the value found, else of the last tried
  std::vector<search_step> steps{};    ///< of a search
  std::optional<std::int64_t> found{}; ///< by a search
  std::string failure{};               ///< why a search did not finish; else empty
  std::vector<std::string> problems{}; ///< failed runs and failed self-checks of all steps
};

/// The progress of the execution.
struct execution_progress {
  std::size_t done = 0;
  std::size_t total = 0; ///< a search counts with the steps that it may still need
  std::size_t running = 0;
  std::size_t reused = 0; ///< done by reuse of earlier results
  std::string last;       ///< the last run that ended
};

/// Receives the progress of the execution.
class execution_monitor {
public:
  virtual ~execution_monitor() = default;

  virtual void progress(const execution_progress& at) = 0;

  /// A run has failed; `text` names it and the failure.
  virtual void failed(const std::string& text) = 0;

  /// A search has tried a value.
  virtual void stepped(const planned_run&, const search_step&) {}
};

/// Runs all of `plans` with each of their seeds, `jobs` at a time, in the order of `plans`, and
/// returns their results in the same order. Searches run concurrently. Returns early, with the
/// results so far, if a stop is requested. Starts no more runs after one whose results could not be
/// written: the others then have failed, and searches have a `failure`.
std::vector<run_result> execute(std::span<const planned_run> plans, std::size_t jobs, launcher& by,
                                execution_monitor& monitor);

} // namespace troupe
