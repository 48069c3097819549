#include "web/target.hpp"

namespace troupe {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

std::optional<std::string> unescaped(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size())
        return std::nullopt;
      const auto high = hex_digit(text[i + 1]);
      const auto low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0 || high + low == 0)
        return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else if (text[i] == '\0') {
      return std::nullopt;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

} // namespace

std::optional<web_target> read_target(std::string_view text) {
  const auto mark = text.find('?');
  auto path = unescaped(text.substr(0, mark), false);
  if (!path || !path->starts_with('/'))
    return std::nullopt;
  web_target out{std::move(*path), {}};
  auto rest = mark == std::string_view::npos ? std::string_view{} : text.substr(mark + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const auto pair = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (pair.empty())
      continue;
    const auto equals = pair.find('=');
    const auto name = unescaped(pair.substr(0, equals), true);
    const auto value = unescaped(
      equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1), true);
    if (!name || !value)
      return std::nullopt;
    out.query[*name] = *value;
  }
  return out;
}

} // namespace troupe
