#include "report/records/record_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace troupe {

namespace {

/// Splits a row of CSV (RFC 4180). Cells of records have no line ends.
void split_cells(std::string_view row, std::vector<std::string>& cells) {
  std::size_t n = 0;
  const auto cell = [&]() -> std::string& {
    if (n == cells.size())
      cells.emplace_back();
    return cells[n];
  };
  cell().clear();
  bool within = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"' && within && i + 1 < row.size() && row[i + 1] == '"') {
      cell() += row[++i];
    } else if (row[i] == '"') {
      within = !within;
    } else if (row[i] == ',' && !within) {
      ++n;
      cell().clear();
    } else {
      cell() += row[i];
    }
  }
  cells.resize(n + 1);
}

} // namespace

record_reader::record_reader(const std::filesystem::path& file) : in_(file.string()) {
  if (const auto line = in_.next())
    split_cells(*line, header_);
}

std::size_t record_reader::column(std::string_view name) const {
  const auto at = std::ranges::find(header_, name);
  if (at == header_.end())
    throw std::runtime_error(in_.path() + ": it has no column '" + std::string{name} +
                             "'; expected records of a run");
  return static_cast<std::size_t>(at - header_.begin());
}

bool record_reader::next() {
  const auto line = in_.next();
  if (!line)
    return false;
  split_cells(*line, row_);
  if (row_.size() != header_.size())
    throw std::runtime_error(in_.path() + ':' + std::to_string(in_.line()) + ": " +
                             std::to_string(row_.size()) + " cells; expected " +
                             std::to_string(header_.size()));
  return true;
}

double record_reader::number(std::size_t column) const {
  const auto& cell = row_[column];
  double x = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return x;
}

} // namespace troupe
