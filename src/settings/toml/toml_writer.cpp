#include "settings/toml/toml_writer.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t widest_code = 30;

/// Breaks `text` between words into lines of at most `width`, but not the limits in brackets at its
/// end.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    auto space = text.rfind(' ', width);
    const auto limits = text.ends_with(']') ? text.rfind(" [") : std::string_view::npos;
    if (limits > 0 && limits < space)
      space = limits;
    if (space == std::string_view::npos)
      break;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  lines.emplace_back(text);
  return lines;
}

} // namespace

std::string toml_writer::comment_on(const field_info& info) const {
  if (style_ == toml_style::plain)
    return {};
  auto limits = info.values.to_text();
  if (!info.unit.empty())
    limits = limits.empty() ? std::string(info.unit) : std::string(info.unit) + ", " + limits;
  return std::string(info.meaning) + (limits.empty() ? "" : " [" + limits + "]");
}

std::string toml_writer::header_text(const std::string& header, const field_info& info) const {
  std::string out;
  if (style_ == toml_style::documented && !info.meaning.empty())
    for (const auto& part : wrapped(info.meaning, page_width - 2))
      out += "# " + part + '\n';
  out += commented_out_ ? "# " : "";
  return out + header + '\n';
}

std::string toml_writer::own_text() const {
  const std::string indent = commented_out_ ? "# " : "";
  std::size_t widest = 0;
  for (const auto& l : own_)
    if (l.code.size() <= widest_code)
      widest = std::max(widest, l.code.size());
  std::string out;
  for (const auto& l : own_) {
    const auto column = std::max(widest, l.code.size()) + indent.size() + 2;
    auto left = indent + l.code;
    if (l.comment.empty()) {
      out += left + '\n';
      continue;
    }
    for (const auto& part : wrapped(l.comment, page_width - column - 2)) {
      left.resize(column, ' ');
      out += left + "# " + part + '\n';
      left = indent;
    }
  }
  return out;
}

} // namespace troupe
