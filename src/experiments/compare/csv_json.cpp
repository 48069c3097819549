#include "experiments/compare/csv_json.hpp"

#include <charconv>
#include <string>
#include <vector>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Takes the next row off `rest`.
std::vector<std::string> next_row(std::string_view& rest) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (quoted && c == '"' && rest.starts_with('"')) {
      fields.back() += c;
      rest.remove_prefix(1);
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '\n') {
      break;
    } else if (!quoted && c == ',') {
      fields.emplace_back();
    } else if (quoted || c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

json cell_value(const std::string& field) {
  if (field.empty())
    return nullptr;
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error == std::errc{} && end == field.data() + field.size())
    return number;
  return field;
}

} // namespace

json json_of_csv(std::string_view csv, std::string_view texts) {
  auto rows = json::array();
  const auto header = next_row(csv);
  while (!csv.empty()) {
    const auto fields = next_row(csv);
    auto row = json::object();
    for (std::size_t i = 0; i < header.size() && i < fields.size(); ++i)
      row[header[i]] = header[i] == texts ? json(fields[i]) : cell_value(fields[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace troupe
