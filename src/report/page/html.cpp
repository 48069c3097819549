#include "report/page/html.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace troupe {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  return out;
}

std::string script_json(const nlohmann::ordered_json& value) {
  std::string out;
  for (char c : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

namespace {

/// Whether a cell is one number, perhaps with a unit, or has none.
bool is_amount(std::string_view cell) {
  constexpr std::string_view signs = "\u2265 ";
  if (cell.empty() || cell == "-")
    return true;
  if (cell.starts_with(signs))
    cell.remove_prefix(signs.size());
  const auto behind = cell.find_first_not_of("0123456789.,-");
  if (behind == 0)
    return false;
  const auto unit = behind == std::string_view::npos ? "" : cell.substr(behind);
  return unit.empty() ||
         (unit.size() <= 4 && unit.front() == ' ' && unit.find(' ', 1) == std::string_view::npos);
}

/// Returns for each column of a table of texts whether all of it are amounts, to be aligned to the
/// right.
std::vector<bool> columns_of_amounts(const html_table& table) {
  std::vector<bool> amounts(table.header.size(), false);
  for (std::size_t i = 1; table.of_texts && i < amounts.size(); ++i) {
    std::vector<std::string_view> cells;
    for (const auto& row : table.rows)
      if (i < row.size())
        cells.emplace_back(row[i]);
    amounts[i] = std::ranges::all_of(cells, is_amount) &&
                 std::ranges::any_of(cells, [](auto cell) { return !cell.empty() && cell != "-"; });
  }
  return amounts;
}

} // namespace

std::string to_html(const html_table& table) {
  const auto amounts = columns_of_amounts(table);
  const auto align = [&](std::size_t i) {
    return i < amounts.size() && amounts[i] ? " class=\"amount\"" : "";
  };
  auto out =
    fmt::format("<div class=\"table\"><table class=\"{}\">", table.of_texts ? "texts" : "numbers");
  if (!table.caption.empty())
    out += fmt::format("<caption>{}</caption>", escaped(table.caption));
  if (!table.header.empty()) {
    out += "<thead><tr>";
    for (std::size_t i = 0; i < table.header.size(); ++i)
      out += fmt::format("<th scope=\"col\"{}>{}</th>", align(i), escaped(table.header[i]));
    out += "</tr></thead>";
  }
  out += "<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i]))
                    : fmt::format("<td{}>{}</td>", align(i), escaped(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string folded(std::string_view title, std::string_view html, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "",
                     escaped(title), html);
}

} // namespace troupe
