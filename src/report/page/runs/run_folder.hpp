#pragma once

#include "report/page/runs/columns.hpp"
#include "report/page/runs/slow_jobs.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// The results of one run, as read from its directory.
struct run_folder {
  std::string label; ///< the run's name on the page
  nlohmann::ordered_json summary;
  nlohmann::ordered_json config;
  csv_columns series;
  csv_columns delays;                ///< empty in results of versions that did not write it
  csv_columns tenants;               ///< empty unless there are several
  csv_columns events;                ///< empty without failures
  csv_columns schedulers{};          ///< empty in results of versions that did not write it
  csv_columns partitions{};          ///< likewise, and without owners
  std::vector<slow_job> slow_jobs{}; ///< empty without records
};

/// Reads the results in `directory`. Without a `label`, the run is labelled by its name and seed.
/// Throws `std::runtime_error` with a message for the user, which names the file that is missing or
/// damaged.
run_folder read_run_folder(const std::filesystem::path& directory, std::string label = "");

} // namespace troupe
