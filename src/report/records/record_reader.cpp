#include "report/records/record_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace troupe {

record_reader::record_reader(const std::filesystem::path& file) : in_(file.string()) {
  if (const auto line = in_.next()) {
    split(*line);
    header_.assign(row_.begin(), row_.end());
  }
}

/// Splits a row of CSV (RFC 4180). Cells of records have no line ends.
void record_reader::split(std::string_view line) {
  row_.clear();
  if (line.find('"') == line.npos) {
    const auto* cell = line.data();
    const auto* const end = cell + line.size();
    for (const auto* at = cell; at != end; ++at) // cells are short: memchr would take longer
      if (*at == ',') {
        row_.emplace_back(cell, at);
        cell = at + 1;
      }
    row_.emplace_back(cell, end);
    return;
  }
  unquoted_.clear();
  unquoted_.reserve(line.size()); // so that views of it stay valid
  for (std::size_t at = 0; at <= line.size();) {
    if (at == line.size() || line[at] != '"') {
      const auto end = std::min(line.find(',', at), line.size());
      row_.push_back(line.substr(at, end - at));
      at = end + 1;
      continue;
    }
    const auto first = unquoted_.size();
    for (++at; at < line.size(); ++at) {
      if (line[at] == '"' && (++at == line.size() || line[at] != '"'))
        break;
      unquoted_ += line[at];
    }
    row_.push_back(std::string_view{unquoted_}.substr(first));
    at = std::min(line.find(',', at), line.size()) + 1;
  }
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
  split(*line);
  if (row_.size() != header_.size())
    throw std::runtime_error(in_.path() + ':' + std::to_string(in_.line()) + ": " +
                             std::to_string(row_.size()) + " cells; expected " +
                             std::to_string(header_.size()));
  return true;
}

double record_reader::number(std::size_t column) const {
  const auto cell = row_[column];
  double x = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return x;
}

} // namespace troupe
