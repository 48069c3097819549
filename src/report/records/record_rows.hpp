#pragma once

#include "model/metrics/results.hpp"
#include "model/records/records.hpp"
#include "report/records/record_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The names that records refer to by number, as cells.
class record_names {
public:
  explicit record_names(const run_results& run);

  /// Empty if there is none with that number.
  std::string_view group(std::uint32_t number) const { return at(groups_, number); }
  std::string_view tenant(std::uint32_t number) const { return at(tenants_, number); }
  std::string_view task_class(std::uint32_t number) const { return at(classes_, number); }

  /// The lengths of the longest names of each kind, together.
  std::size_t longest() const { return longest_; }

private:
  static std::string_view at(const std::vector<std::string>& names, std::uint32_t number) {
    return number < names.size() ? std::string_view{names[number]} : std::string_view{};
  }

  std::vector<std::string> groups_;
  std::vector<std::string> tenants_;
  std::vector<std::string> classes_;
  std::size_t longest_ = 0;
};

/// The first lines of `jobs.csv.gz`, `tasks.csv.gz` and `attempts.csv.gz`.
std::string_view job_header();
std::string_view task_header();
std::string_view attempt_header();

/// Adds a row.
void add_row(record_text& to, const job_record& r, const record_names& names);
void add_row(record_text& to, const task_record& r, const record_names& names);
void add_row(record_text& to, const attempt_record& r, const record_names& names);

} // namespace troupe
