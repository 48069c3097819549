#include "manual/roff.hpp"

#include "report/text/text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace troupe {

namespace {

/// Examples are broken so that they fit a terminal of 80 columns.
constexpr std::size_t example_width = 67;

/// Returns `text` as lines of input: roff takes a dot or an apostrophe at the start of a line for a
/// request.
std::string roff_line(std::string_view text) {
  const bool request = text.starts_with('.') || text.starts_with('\'');
  return (request ? "\\&" : "") + roff_text(text) + '\n';
}

/// Returns a line of an example as lines that a shell takes for one, each broken before an option
/// if possible.
std::string example_lines(std::string_view line) {
  std::string out;
  std::string indent;
  while (columns(line) + indent.size() > example_width) {
    auto space = line.rfind(" -", example_width - indent.size());
    if (space == std::string_view::npos || space < example_width / 3)
      space = line.rfind(' ', example_width - indent.size());
    if (space == std::string_view::npos || space == 0)
      break;
    out += roff_line(indent + std::string(line.substr(0, space)) + " \\");
    line.remove_prefix(space + 1);
    indent = "    ";
  }
  return out + roff_line(indent + std::string(line));
}

} // namespace

std::string roff_text(std::string_view text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '\\':
      out += "\\e";
      break;
    case '-':
      out += "\\-";
      break;
    case '\'':
      out += "\\(aq";
      break;
    case '`':
      out += "\\(ga";
      break;
    case '^':
      out += "\\(ha";
      break;
    case '~':
      out += "\\(ti";
      break;
    default:
      out += c;
    }
  return out;
}

std::string roff_bold(std::string_view text) {
  return "\\fB" + roff_text(text) + "\\fR";
}

std::string roff_italic(std::string_view text) {
  return "\\fI" + roff_text(text) + "\\fR";
}

roff_page::roff_page(std::string_view title, std::string_view version) {
  std::string upper(title);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  text_ = ".TH \"" + roff_text(upper) + "\" 1 \"\" \"" + roff_text(version) +
          "\" \"Troupe Manual\"\n.nh\n.ad l\n";
}

void roff_page::section(std::string_view title) {
  begins_section_ = true;
  text_ += ".SH " + std::string(title) + '\n';
}

void roff_page::begin_paragraph() {
  if (!std::exchange(begins_section_, false))
    text_ += ".PP\n";
}

void roff_page::paragraph(std::string_view text) {
  begin_paragraph();
  text_ += roff_line(text);
}

void roff_page::example(std::string_view lines) {
  begin_paragraph();
  text_ += ".nf\n";
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    text_ += example_lines(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  text_ += ".fi\n";
}

void roff_page::entry(std::string_view head, std::string_view meaning) {
  begins_section_ = false;
  text_ += ".TP\n" + std::string(head) + '\n' + roff_line(meaning);
}

void roff_page::line(std::string_view roff) {
  begins_section_ = false;
  text_ += std::string(roff) + '\n';
}

} // namespace troupe
