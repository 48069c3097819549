#pragma once

#include "experiments/execute.hpp"
#include "experiments/statistics.hpp"
#include "experiments/value_table.hpp"
#include "settings/varied_setting.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// What all combinations of some settings' values gave.
struct sweep_table {
  /// One combination.
  struct row {
    std::vector<std::string> values;            ///< one for each key
    std::size_t ended = 0;                      ///< how many of its seeds gave results
    std::vector<std::optional<estimate>> cells; ///< one for each metric, over these seeds
  };

  std::vector<std::string> keys; ///< what varies
  std::vector<value_column> metrics;
  std::uint64_t seeds = 0;
  std::vector<row> rows;
  std::vector<std::string> problems; ///< runs that failed, self-checks that did, unknown metrics
};

/// Returns what varies in all: `more` over `base`, where it replaces the values of a setting or
/// adds one. Throws `std::invalid_argument` with a text for the user for a setting that cannot
/// vary.
std::vector<varied_setting> varied_together(std::vector<varied_setting> base,
                                            std::span<const varied_setting> more);

/// Returns one run like `base` for each combination of the values of `vary`, named "key=value,
/// key=value", with a folder of its own for its results.
std::vector<planned_run> sweep_plans(const planned_run& base, std::span<const varied_setting> vary);

/// Returns the columns that `metrics` ask for, each a path in the summary or an expression over
/// "{path}"; without any, a few usual ones. Throws `std::invalid_argument` with a text for the
/// user.
std::vector<value_column> sweep_metrics(std::span<const std::string> metrics);

/// Makes the table from the results of what `sweep_plans` has planned. It depends on nothing but
/// what the runs gave.
sweep_table sweep_table_of(std::span<const run_result> results,
                           std::span<const varied_setting> vary, std::vector<value_column> metrics);

/// Renders each value as "mean ± half width of the 95 % interval".
value_table sweep_text(const sweep_table& t);

/// Renders means and half widths in columns of their own, with all digits.
value_table sweep_csv(const sweep_table& t);

nlohmann::ordered_json sweep_json(const sweep_table& t);

} // namespace troupe
