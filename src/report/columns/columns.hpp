#pragma once

#include <span>
#include <string>
#include <string_view>

/// The columns of the CSV files that a run writes: the header lines and docs/columns.md have them
/// from here.
namespace troupe {

struct file_column {
  std::string_view name;
  std::string_view unit;    ///< empty: a name, a number of something, or a share
  std::string_view meaning; ///< in Markdown
};

// Of timeseries.csv, without the policy behind them.
std::span<const file_column> timeseries_columns();

// Of jobs.csv.gz, tasks.csv.gz and attempts.csv.gz.
std::span<const file_column> job_columns();
std::span<const file_column> task_columns();
std::span<const file_column> attempt_columns();

// Of schedulers.csv, partitions.csv, delays.csv, tenants.csv and events.csv.
std::span<const file_column> scheduler_columns();
std::span<const file_column> partition_columns();
std::span<const file_column> delay_columns();
std::span<const file_column> share_columns();
std::span<const file_column> event_columns();

/// Returns the names, separated by commas, without an end of line.
std::string names_of(std::span<const file_column> columns);

/// Returns docs/columns.md: a section for each file.
std::string columns_page();

} // namespace troupe
