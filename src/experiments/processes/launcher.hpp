#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// One run: one configuration with one seed.
struct run_request {
  std::string label; ///< its name for the user
  std::filesystem::path config;
  std::vector<std::string> set; ///< "key=value" each
  std::uint64_t seed = 1;
  std::filesystem::path folder; ///< for its results, relative to the common folder
};

/// The exit code of a run of a batch whose results could not be written, as on a full disk.
inline constexpr int results_unwritable = 3;

/// The end of a run.
struct run_reply {
  int exit_code = 0;  ///< as defined by the program; 128 plus the number of a signal
  std::string errors; ///< the last lines that it wrote to stderr
  /// Its summary, with its settings under "config" and the rows of timeseries.csv under "series";
  /// null if there are no results.
  nlohmann::ordered_json summary;
};

/// Starts runs and reports their ends.
class launcher {
public:
  struct finished {
    std::size_t id = 0;
    run_reply reply;
    bool reused = false; ///< taken from an earlier run
  };

  virtual ~launcher() = default;

  /// Starts a run, which `wait` will report as `id`.
  virtual void start(std::size_t id, const run_request& request) = 0;

  /// Waits until a run has ended, or for a short time, so that the caller can show progress. At
  /// least one run must have been started and not yet reported.
  virtual std::optional<finished> wait() = 0;

  /// Returns whether the user has requested a stop. Current runs then end soon by themselves.
  virtual bool stop_requested() = 0;
};

} // namespace troupe
