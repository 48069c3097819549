#include "report/page/html.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

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

std::string to_html(const html_table& table) {
  auto out =
    fmt::format("<div class=\"table\"><table class=\"{}\">", table.of_texts ? "texts" : "numbers");
  if (!table.caption.empty())
    out += fmt::format("<caption>{}</caption>", escaped(table.caption));
  if (!table.header.empty()) {
    out += "<thead><tr>";
    for (const auto& cell : table.header)
      out += fmt::format("<th scope=\"col\">{}</th>", escaped(cell));
    out += "</tr></thead>";
  }
  out += "<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i]))
                    : fmt::format("<td>{}</td>", escaped(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string folded(std::string_view title, std::string_view html, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "",
                     escaped(title), html);
}

} // namespace troupe
