#include "support/terminal.hpp"

#include "report/text/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace troupe {

namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t further_indent = 4; ///< of the continuation of an example

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Returns the column at which the description begins in a line such as "  --seed N      The seed";
/// 0 if there is none.
std::size_t description_of(std::string_view line) {
  const auto word = line.find_first_not_of(' ');
  if (word == 0 || word == std::string_view::npos)
    return 0;
  const auto space = line.find("  ", word);
  return space == std::string_view::npos ? 0 : line.find_first_not_of(' ', space);
}

/// Appends `text`, wrapped at `width`; all lines but the first are indented by `indent`.
void append_broken(std::string& out, std::string_view text, std::size_t first, std::size_t indent,
                   std::size_t width) {
  const auto head = text.substr(0, first);
  out += head;
  bool begun = false;
  for (const auto& line : wrap(text.substr(first), width - std::max(first, indent))) {
    if (begun)
      out += std::string(indent, ' ');
    begun = true;
    out += line + '\n';
  }
}

color_choice chosen_color = color_choice::automatic;

bool is_set(const char* variable) {
  const auto* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const auto* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view{terminal} == "dumb";
}

} // namespace

void choose_color(color_choice choice) {
  chosen_color = choice;
}

bool has_color(int descriptor) {
  if (chosen_color != color_choice::automatic)
    return chosen_color == color_choice::always;
  if (is_set("NO_COLOR"))
    return false;
  return is_set("FORCE_COLOR") || redraws(descriptor);
}

bool redraws(int descriptor) {
  return isatty(descriptor) != 0 && !is_dumb();
}

progress_style progress_on_stderr() {
  return redraws(STDERR_FILENO) ? progress_style::refreshed : progress_style::plain;
}

std::string with_verdicts(std::string text) {
  if (!has_color(STDOUT_FILENO))
    return text;
  std::string out;
  for (const auto line : lines_of(text)) {
    const auto start = std::min(line.find_first_not_of(' '), line.size());
    const auto word = line.substr(start, 4);
    const auto* color = word == "PASS" ? "\x1b[32m" : word == "FAIL" ? "\x1b[1;31m" : "";
    out += line.substr(0, start);
    if (*color != '\0')
      out.append(color).append(word).append("\x1b[0m").append(line.substr(start + 4));
    else
      out += line.substr(start);
    out += '\n';
  }
  if (!text.ends_with('\n') && !out.empty())
    out.pop_back();
  return out;
}

std::size_t terminal_width() {
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::string::npos;
  return std::max<std::size_t>(size.ws_col, narrowest);
}

std::string in_lines(std::string_view text, std::size_t indent) {
  const auto width = terminal_width();
  const auto first = wrap(text, width).front();
  auto out = first + '\n';
  auto rest = text.substr(first.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!rest.empty())
    for (const auto& line : wrap(rest, width - indent))
      out += std::string(indent, ' ') + line + '\n';
  return out;
}

std::string help_in(std::string_view help, std::size_t width) {
  const auto lines = lines_of(help);
  if (std::ranges::all_of(lines, [&](auto line) { return columns(line) <= width; }))
    return std::string(help);
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty())
      append_broken(out, paragraph, 0, 0, width);
    paragraph.clear();
  };
  for (const auto line : lines) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
      if (line.ends_with(':'))
        end_paragraph();
      continue;
    }
    end_paragraph();
    const auto description = description_of(line);
    const auto start = line.empty() ? 0 : line.find_first_not_of(' ');
    if (columns(line) <= width)
      out += std::string(line) + '\n';
    else if (description > 0 && description + 20 <= width)
      append_broken(out, line, description, description, width);
    else
      append_broken(out, line, start, start + further_indent, width);
  }
  end_paragraph();
  return out;
}

} // namespace troupe
