#include "experiments/value_table.hpp"

#include "report/text.hpp"

#include <algorithm>

namespace troupe {

namespace {

std::string padding(std::size_t width, const std::string& text) {
  return std::string(width - std::min(width, columns(text)), ' ');
}

std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

} // namespace

std::string value_table::to_plain() const {
  std::vector<std::size_t> widths;
  for (const auto& name : header)
    widths.push_back(columns(name));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  std::string out;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out +=
        i == 0 ? row[i] + padding(widths[i], row[i]) : "  " + padding(widths[i], row[i]) + row[i];
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  add(header);
  for (const auto& row : rows)
    add(row);
  return out;
}

std::string value_table::to_markdown() const {
  std::string out;
  const auto add = [&](const std::vector<std::string>& row) {
    for (const auto& text : row)
      out += "| " + markdown_cell(text) + " ";
    out += "|\n";
  };
  add(header);
  for (std::size_t i = 0; i < header.size(); ++i)
    out += i == 0 ? "|---" : "|---:";
  out += "|\n";
  for (const auto& row : rows)
    add(row);
  return out;
}

std::string value_table::to_csv() const {
  std::string out;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (i == 0 ? "" : ",") + csv_field(row[i]);
    out += "\r\n";
  };
  add(header);
  for (const auto& row : rows)
    add(row);
  return out;
}

} // namespace troupe
