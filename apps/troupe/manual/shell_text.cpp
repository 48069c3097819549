#include "manual/shell_text.hpp"

#include <algorithm>

namespace troupe {

std::string posix_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return out + '\'';
}

std::string fish_quoted(std::string_view text) {
  return '\'' + escaped(text, "\\'") + '\'';
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string out;
  for (const auto& word : words)
    out += (out.empty() ? "" : std::string(separator)) + word;
  return out;
}

std::string short_meaning(std::string_view meaning) {
  constexpr std::size_t longest = 70;
  const auto end = std::min(meaning.find("; "), meaning.find(": "));
  const auto text = meaning.substr(0, end);
  if (text.size() <= longest)
    return std::string(text);
  return std::string(text.substr(0, text.rfind(' ', longest))) + " ...";
}

} // namespace troupe
