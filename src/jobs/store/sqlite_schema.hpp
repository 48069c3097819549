#pragma once

#include <string_view>
#include <vector>

namespace troupe {

/// The SQL that brings a store from version N to N + 1, for each N from 0. Stores of all versions
/// exist: a step is never changed.
const std::vector<std::string_view>& schema_steps();

/// A table and its columns, in the order of an export.
struct schema_table {
  std::string_view name;
  std::vector<std::string_view> columns;
  std::string_view order; ///< the columns of its key
};

/// The tables of the latest version; a table that others refer to comes first.
const std::vector<schema_table>& schema_tables();

} // namespace troupe
