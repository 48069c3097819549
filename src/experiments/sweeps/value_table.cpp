#include "experiments/sweeps/value_table.hpp"

#include "report/text/text.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t gap = 2; ///< between columns

std::string padding(std::size_t width, const std::string& text) {
  return std::string(width - std::min(width, columns(text)), ' ');
}

/// Deals the columns to blocks that are no wider than `page`, each led by the first `keys` columns.
std::vector<std::vector<std::size_t>> blocks(const std::vector<std::size_t>& widths,
                                             std::size_t page, std::size_t keys) {
  std::vector<std::size_t> leading;
  std::size_t start = 0;
  for (std::size_t i = 0; i < keys; ++i) {
    leading.push_back(i);
    start += widths[i] + (i == 0 ? 0 : gap);
  }
  std::vector<std::vector<std::size_t>> all(1, leading);
  auto used = start;
  for (auto i = keys; i < widths.size(); ++i) {
    const auto more = widths[i] + gap;
    if (all.back().size() > keys && used + more > page) {
      all.push_back(leading);
      used = start;
    }
    all.back().push_back(i);
    used += more;
  }
  return all;
}

void add_line(std::string& out, const std::vector<std::string>& row,
              const std::vector<std::size_t>& widths, const std::vector<std::size_t>& shown) {
  for (const auto i : shown) {
    const auto text = columns(row[i]) > widths[i] ? fit(row[i], widths[i]) : row[i];
    out += i == 0 ? text + padding(widths[i], text)
                  : std::string(gap, ' ') + padding(widths[i], text) + text;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
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

std::string value_table::to_plain(std::size_t page, std::size_t keys) const {
  std::vector<std::size_t> widths;
  for (const auto& name : header)
    widths.push_back(columns(name));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  for (auto& width : widths)
    width = std::min(width, page);
  std::string out;
  for (const auto& shown : blocks(widths, page, std::min(keys, widths.size()))) {
    out += out.empty() ? "" : "\n";
    add_line(out, header, widths, shown);
    for (const auto& row : rows)
      add_line(out, row, widths, shown);
  }
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
