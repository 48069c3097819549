#include "model/jobs/constraint.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

std::string_view trim(std::string_view s) {
  const auto first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

std::optional<double> number(std::string_view s) {
  double x = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), x);
  if (error != std::errc{} || end != s.data() + s.size())
    return std::nullopt;
  return x;
}

struct spelling {
  std::string_view text;
  constraint_operator op;
};

constexpr spelling spellings[] = {
  {"==", constraint_operator::equals}, {"!=", constraint_operator::not_equals},
  {" in ", constraint_operator::in},   {">", constraint_operator::greater},
  {"<", constraint_operator::less},
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> values;
  for (;;) {
    const auto comma = list.find(',');
    values.emplace_back(trim(list.substr(0, comma)));
    if (comma == std::string_view::npos)
      return values;
    list.remove_prefix(comma + 1);
  }
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument("a constraint like disk == ssd, zone != b, gpu in A100,V100, "
                              "cores > 16 or cores < 64; \"" +
                              std::string{text} + "\" " + why);
}

} // namespace

constraint parse_constraint(std::string_view text) {
  const spelling* found = nullptr;
  auto at = std::string_view::npos;
  for (const auto& s : spellings)
    if (const auto here = text.find(s.text); here < at) {
      at = here;
      found = &s;
    }
  if (found == nullptr)
    refuse(text, "has none of ==, !=, in, > and <");
  constraint c{std::string{trim(text.substr(0, at))}, found->op, {}};
  const auto right = trim(text.substr(at + found->text.size()));
  if (c.op == constraint_operator::in)
    c.values = split(right);
  else
    c.values.emplace_back(right);
  if (c.attribute.empty())
    refuse(text, "names no attribute");
  if (std::ranges::any_of(c.values, [](const std::string& v) { return v.empty(); }))
    refuse(text, "names no value");
  const bool compares = c.op == constraint_operator::greater || c.op == constraint_operator::less;
  if (compares && !number(c.values.front()))
    refuse(text, "compares with \"" + c.values.front() + "\", which is no number");
  return c;
}

std::string to_string(const constraint& c) {
  std::string text = c.attribute + " " + to_string(c.op) + " ";
  for (std::size_t i = 0; i < c.values.size(); ++i)
    text += (i > 0 ? "," : "") + c.values[i];
  return text;
}

bool meets(const std::map<std::string, std::string>& attributes, const constraint& c) {
  const auto it = attributes.find(c.attribute);
  if (it == attributes.end())
    return c.op == constraint_operator::not_equals;
  const auto& value = it->second;
  switch (c.op) {
  case constraint_operator::equals:
    return value == c.values.front();
  case constraint_operator::not_equals:
    return value != c.values.front();
  case constraint_operator::in:
    return std::ranges::find(c.values, value) != c.values.end();
  case constraint_operator::greater:
  case constraint_operator::less:
    break;
  }
  const auto have = number(value);
  const auto limit = number(c.values.front());
  if (!have || !limit)
    return false;
  return c.op == constraint_operator::greater ? *have > *limit : *have < *limit;
}

} // namespace troupe
