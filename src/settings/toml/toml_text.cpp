#include "settings/toml/toml_text.hpp"

#include "settings/schema/allowed.hpp"

#include <cstdio>

namespace troupe {

std::string to_toml_value(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string to_toml_value(double x) {
  return to_text(x);
}

std::string to_toml_value(duration d) {
  return to_toml_value(std::string_view(to_string(d)));
}

std::string to_toml_value(const std::vector<double>& numbers) {
  std::string out = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i == 0 ? "" : ", ") + to_text(numbers[i]);
  return out + "]";
}

std::string to_toml_value(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += (i == 0 ? "" : ", ") + to_toml_value(std::string_view(texts[i]));
  return out + "]";
}

namespace {

template <class Value>
std::string inline_table(const std::map<std::string, Value>& values) {
  if (values.empty())
    return "{}";
  std::string out = "{ ";
  for (const auto& [key, value] : values)
    out += (out.size() == 2 ? "" : ", ") + to_toml_value(std::string_view(key)) + " = " +
           to_toml_value(value);
  return out + " }";
}

} // namespace

std::string to_toml_value(const std::map<std::string, std::string>& texts) {
  return inline_table(texts);
}

std::string to_toml_value(const std::map<std::string, double>& numbers) {
  return inline_table(numbers);
}

} // namespace troupe
