#pragma once

#include "jobs/store/store_place.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace troupe {

/// A column: whole numbers, or texts.
struct store_column {
  std::string_view name;
  bool is_text = false;
};

/// A table and its columns, in the order of an export.
struct store_table {
  std::string_view name;
  std::vector<store_column> columns;
  std::string_view order; ///< the columns of its key
};

/// The version of the schema that this program writes: the same for all kinds of stores.
inline constexpr int store_version = 3;

/// The tables of that version; a table that others refer to comes first.
const std::vector<store_table>& store_table_list();

using store_value = std::variant<std::int64_t, std::string>;
using store_values = std::vector<store_value>;

/// The tables of a store of any kind, row by row.
class store_tables {
public:
  virtual ~store_tables() = default;

  /// Returns the faults that the engine finds in its own data, one line each.
  virtual std::vector<std::string> damage() = 0;

  /// Calls `take` for each row of a query that all engines understand.
  virtual void select(const std::string& sql,
                      const std::function<void(const store_values&)>& take) = 0;

  /// Adds a row, of a value for each column.
  virtual void insert(const store_table& into, const store_values& row) = 0;

  /// Makes all rows that were added durable; without, nothing is left of them.
  virtual void commit() = 0;
};

/// Opens a store for reading, all of it as of one instant. Throws `store_refused`.
std::unique_ptr<store_tables> read_tables(const store_place& at);

/// Makes a new store. Throws `store_refused`, also if there is one.
std::unique_ptr<store_tables> make_tables(const store_place& at);

} // namespace troupe
