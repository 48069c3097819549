#pragma once

#include "experiments/compare/statistics.hpp"
#include "experiments/processes/execute.hpp"
#include "experiments/sweeps/value_table.hpp"
#include "settings/schema/varied_setting.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// The results of all combinations of some settings' values.
struct sweep_table {
  /// One combination.
  struct row {
    std::vector<std::string> values;            ///< one for each key
    std::size_t ended = 0;                      ///< number of its seeds with results
    std::vector<std::optional<estimate>> cells; ///< one for each metric, over these seeds
  };

  std::vector<std::string> keys; ///< the varied settings
  std::vector<value_column> metrics;
  std::uint64_t seeds = 0;
  std::vector<row> rows;
  std::vector<std::string> problems; ///< failed runs, failed self-checks, unknown metrics
};

/// Merges varied settings: `more` replaces the values of a setting in `base` or adds a setting.
/// Throws `std::invalid_argument` with a text for the user if a setting cannot vary.
std::vector<varied_setting> varied_together(std::vector<varied_setting> base,
                                            std::span<const varied_setting> more);

/// Returns one run like `base` for each combination of the values of `vary`, named "key=value,
/// key=value", with its own folder for its results.
std::vector<planned_run> sweep_plans(const planned_run& base, std::span<const varied_setting> vary);

/// Returns the columns of `metrics`, each a path in the summary or an expression over "{path}";
/// without metrics, a few default columns. Throws `std::invalid_argument` with a text for the user.
std::vector<value_column> sweep_metrics(std::span<const std::string> metrics);

/// Makes the table from the results of the runs of `sweep_plans`. It depends on these results only.
sweep_table sweep_table_of(std::span<const run_result> results,
                           std::span<const varied_setting> vary, std::vector<value_column> metrics);

/// Renders each value as "mean ± half width of the 95 % interval".
value_table sweep_text(const sweep_table& t);

/// Renders means and half widths in separate columns, with all digits.
value_table sweep_csv(const sweep_table& t);

nlohmann::ordered_json sweep_json(const sweep_table& t);

} // namespace troupe
