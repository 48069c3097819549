#pragma once

#include "workload/formats/row_fields.hpp"

#include <stdexcept>
#include <vector>

namespace troupe {

/// The columns of a table with a header, found by their names.
class header_columns {
public:
  /// `path` is for messages.
  header_columns(std::string path, std::string_view header) : path_(std::move(path)) {
    fields_.resize(split(header, ',', {}));
    split(header, ',', fields_);
    names_.assign(fields_.begin(), fields_.end());
  }

  /// Returns the number of a column. Throws `std::runtime_error` if there is none of this name.
  std::size_t required(std::string_view name) const {
    const auto at = find(name);
    if (at == missing)
      throw std::runtime_error{path_ + ":1: the header has no column '" + std::string{name} +
                               "'; expected a table of openb, as in name,cpu_milli,memory_mib,.."};
    return at;
  }

  /// Returns the number of a column, or `missing`.
  std::size_t find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name)
        return i;
    return missing;
  }

  std::size_t size() const { return names_.size(); }

  /// Splits a row; returns the number of its fields.
  std::size_t read(std::string_view row) { return split(row, ',', fields_); }

  /// A field of the latest row; empty if there is no such column.
  std::string_view operator[](std::size_t column) const {
    return column == missing ? std::string_view{} : fields_[column];
  }

  static constexpr std::size_t missing = ~std::size_t{0};

private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::string_view> fields_;
};

} // namespace troupe
