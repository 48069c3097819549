#include "report/page/runs/columns.hpp"

#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::size_t shown_width = 40;

bool holds_texts(std::string_view column) {
  constexpr std::string_view names[] = {"group", "policy", "tenant", "event", "member", "detail"};
  return std::ranges::find(names, column) != std::end(names);
}

/// Reads the next row into `fields`. A quoted field may span lines, which `line` counts.
bool next_row(std::istream& in, std::vector<std::string>& fields, std::size_t& line) {
  fields.clear();
  std::string text;
  bool quoted = false;
  for (bool more = false; quoted || !more; more = true) {
    std::string part;
    if (!std::getline(in, part))
      return false;
    ++line;
    if (quoted)
      fields.back() += '\n';
    else
      fields.emplace_back();
    for (std::size_t i = 0; i < part.size(); ++i) {
      const char c = part[i];
      if (quoted && c == '"' && part.compare(i, 2, "\"\"") == 0) {
        fields.back() += c;
        ++i;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == ',') {
        fields.emplace_back();
      } else if (quoted || c != '\r') {
        fields.back() += c;
      }
    }
  }
  return true;
}

double number_in(const std::string& field) {
  if (field.empty())
    return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  const auto* const last = field.data() + field.size();
  const auto [end, error] = std::from_chars(field.data(), last, number);
  if (error != std::errc{} || end != last)
    throw std::invalid_argument(field);
  return number;
}

template <class Map>
const typename Map::mapped_type& column_of(const Map& columns, std::string_view name) {
  static const typename Map::mapped_type none;
  const auto at = columns.find(name);
  return at == columns.end() ? none : at->second;
}

} // namespace

const std::vector<double>& csv_columns::number(std::string_view name) const {
  return column_of(numbers, name);
}

const std::vector<std::string>& csv_columns::text(std::string_view name) const {
  return column_of(texts, name);
}

csv_columns read_columns(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw std::runtime_error(
      fmt::format("cannot read {}: {}", file.string(),
                  errno != 0 ? std::strerror(errno) : "it cannot be opened"));
  std::size_t line = 0;
  std::vector<std::string> header;
  if (!next_row(in, header, line))
    throw std::runtime_error(file.string() + ": the file is empty; expected a header");
  csv_columns columns;
  struct kept_column {
    std::vector<std::string>* texts;
    std::vector<double>* numbers;
  };
  std::vector<kept_column> kept;
  std::vector<std::string> fields;
  for (auto at = line + 1; next_row(in, fields, line); at = line + 1) {
    if (fields.size() != header.size())
      throw std::runtime_error(fmt::format("{}:{}: {} fields; expected {} as in the header",
                                           file.string(), at, fields.size(), header.size()));
    if (kept.empty()) // a file without rows has no columns
      for (const auto& name : header)
        kept.push_back(holds_texts(name) ? kept_column{&columns.texts[name], nullptr}
                                         : kept_column{nullptr, &columns.numbers[name]});
    for (std::size_t i = 0; i < header.size(); ++i)
      try {
        if (kept[i].texts != nullptr)
          kept[i].texts->push_back(fields[i]);
        else
          kept[i].numbers->push_back(number_in(fields[i]));
      } catch (const std::invalid_argument&) {
        throw std::runtime_error(fmt::format("{}:{}: column '{}': \"{}\"; expected a number",
                                             file.string(), at, header[i],
                                             fit(fields[i], shown_width)));
      }
    ++columns.rows;
  }
  return columns;
}

} // namespace troupe
