#pragma once

#include "experiments/expectations/paper_figure.hpp"
#include "settings/schema/value_range.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A search by bisection for the least value of a setting with which a run meets a goal: if one
/// value meets it, all greater ones must.
struct search_plan {
  std::string set;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t step = 1;
  std::string goal;      ///< an expression, true if not 0, over the means of the seeds
  value_scale scale{};   ///< the meaning of the whole numbers above
  bool verified = false; ///< try a value halfway to either end as well, once the search is over

  friend bool operator==(const search_plan&, const search_plan&) = default;
};

/// One configuration that an experiment runs, with seeds 1 to `seeds`.
struct planned_run {
  std::string name; ///< includes the varied values: "name[500ms,3]"
  std::filesystem::path config;
  std::vector<std::string> set{}; ///< "key=value" each, as after --set
  std::uint64_t seeds = 1;
  std::optional<search_plan> find{};
  std::filesystem::path folder{}; ///< for its results; empty: one with the name of the run
};

/// An expected result.
struct expectation {
  enum class shape {
    bounded, ///< one value, within bounds
    rising,  ///< several values, each greater than the one before
    falling,
    flat, ///< several values, all about the same
  };

  std::string says;
  std::string paper; ///< the paper's value; may be empty
  shape kind = shape::bounded;
  std::vector<std::string> values; ///< expressions
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> within; ///< greatest distance from `is`, relative to it
  std::string is;               ///< an expression; may be empty
  double slack = 0;     ///< of a trend: tolerance of each step, as a share of the value before
  double tolerance = 0; ///< of a flat one: greatest distance from the mean, as a share of it
};

/// A column of the table of runs.
struct value_column {
  std::string label;
  std::string value; ///< an expression over "{path}"
};

/// The contents of an experiment file, with all combinations of varied values expanded.
struct experiment {
  std::filesystem::path file;
  std::string name;
  std::string title;
  std::string about;
  std::string source;           ///< paper and section
  std::vector<std::string> set; ///< the settings common to all runs
  std::vector<planned_run> runs;
  std::vector<value_column> columns;
  std::vector<expectation> expectations;
  std::vector<paper_line> paper_lines;
  std::vector<paper_figure> figures;
  std::string beside; ///< which figure of the paper the plots repeat, and what replaces its curves
};

} // namespace troupe
