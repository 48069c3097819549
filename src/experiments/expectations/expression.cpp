#include "experiments/expectations/expression.hpp"

#include "experiments/expectations/formulas.hpp"
#include "experiments/expectations/value_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <muParser.h>
#include <stdexcept>

namespace troupe {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument("the expression '" + std::string(text) + "': " + why);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

value_reference reference_in(std::string_view inner) {
  const auto colon = inner.find(':');
  if (colon == std::string_view::npos)
    return {"", std::string(trimmed(inner))};
  return {std::string(trimmed(inner.substr(0, colon))),
          std::string(trimmed(inner.substr(colon + 1)))};
}

/// Returns `text` with each {reference} replaced by what `replace` makes of it.
std::string replaced(std::string_view text,
                     const std::function<std::string(const value_reference&)>& replace) {
  std::string out;
  for (auto rest = text; !rest.empty();) {
    const auto open = rest.find('{');
    out += rest.substr(0, open);
    if (open == std::string_view::npos)
      break;
    const auto close = rest.find('}', open);
    if (close == std::string_view::npos)
      refuse(text, "a { without its }");
    out += replace(reference_in(rest.substr(open + 1, close - open - 1)));
    rest.remove_prefix(close + 1);
  }
  return out;
}

/// Returns whether there is a single '=', which muParser takes for an assignment.
bool assigns(std::string_view formula) {
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != '=')
      continue;
    const char before = i == 0 ? ' ' : formula[i - 1];
    const char after = i + 1 == formula.size() ? ' ' : formula[i + 1];
    if (after != '=' && std::string_view("=<>!").find(before) == std::string_view::npos)
      return true;
  }
  return false;
}

/// Returns what follows the bracket or brace at `open`. In braces, there is a name.
std::size_t after_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    if (text[i] == '{')
      i = std::min(text.find('}', i), text.size() - 1);
    else if (text[i] == '(')
      ++depth;
    else if (text[i] == ')')
      --depth;
    if (depth == 0)
      return i + 1;
  }
  return text.size();
}

/// Returns what a chain of comparisons such as 1 <= x <= 3 means, which muParser takes for
/// (1 <= x) <= 3; empty if there is none.
std::string chain_in(std::string_view text) {
  std::vector<std::string> parts{""}; // operands, with operators between
  const auto meaning = [&] {
    std::string all;
    for (std::size_t i = 0; parts.size() > 3 && i + 2 < parts.size(); i += 2)
      all += (i == 0 ? "" : " && ") + std::string(trimmed(parts[i])) + ' ' + parts[i + 1] + ' ' +
             std::string(trimmed(parts[i + 2]));
    return all;
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool with_equals = i + 1 < text.size() && text[i + 1] == '=';
    if (c == '(' || c == '{') {
      const auto end = after_bracket(text, i);
      const auto inner = text.substr(i + 1, end - i - 1);
      if (auto within = c == '(' ? chain_in(inner) : std::string{}; !within.empty())
        return within;
      parts.back() += text.substr(i, end - i);
      i = end;
    } else if (std::string_view("&|,?:)").find(c) != std::string_view::npos) {
      if (auto found = meaning(); !found.empty())
        return found;
      parts = {""};
      ++i;
    } else if (c == '<' || c == '>' || ((c == '=' || c == '!') && with_equals)) {
      const std::size_t length = with_equals ? 2 : 1;
      parts.emplace_back(text.substr(i, length));
      parts.emplace_back();
      i += length;
    } else {
      parts.back() += c;
      ++i;
    }
  }
  return meaning();
}

double power(double x, double y) {
  return std::pow(x, y);
}

} // namespace

expression::expression(std::string_view text) : text_(text) {
  formula_ = replaced(text, [&](const value_reference& r) {
    if (r.path.empty())
      refuse(text, "a reference is written {run: path} or {path}");
    const auto at = std::ranges::find(references_, r);
    const auto number = at - references_.begin();
    if (at == references_.end())
      references_.push_back(r);
    return " v" + std::to_string(number) + " ";
  });
  if (assigns(formula_))
    refuse(text, "a single = compares nothing; write ==");
  if (const auto meant = chain_in(text); !meant.empty())
    refuse(text, "comparisons in a chain; write " + meant);
  try {
    compute(std::vector<double>(references_.size(), 0.5));
  } catch (const mu::Parser::exception_type& error) {
    refuse(text, error.GetMsg());
  } catch (const std::domain_error&) {
    // The numbers of this trial are not those of a run.
  }
}

double expression::evaluate(std::span<const double> values) const {
  double result = 0;
  try {
    result = compute({values.begin(), values.end()});
  } catch (const mu::Parser::exception_type& error) {
    throw value_error("'" + text_ + "': " + error.GetMsg());
  } catch (const std::domain_error& error) {
    throw value_error("'" + text_ + "': " + error.what());
  }
  if (!std::isfinite(result))
    throw value_error("'" + text_ + "' is no finite number: is there a division by zero in it?");
  return result;
}

double expression::compute(std::vector<double> values) const {
  mu::Parser parser;
  parser.DefineFun("pow", power);
  parser.DefineFun("erlang_c", erlang_c_wait);
  for (std::size_t i = 0; i < values.size(); ++i)
    parser.DefineVar("v" + std::to_string(i), &values[i]);
  parser.SetExpr(formula_);
  int count = 0;
  const auto* results = parser.Eval(count);
  if (count != 1)
    throw mu::Parser::exception_type("it has several values, parted by commas");
  return results[0];
}

std::string with_run(std::string_view text, std::string_view run) {
  return replaced(text, [&](const value_reference& r) {
    return "{" + (r.run.empty() ? std::string(run) : r.run) + ": " + r.path + "}";
  });
}

} // namespace troupe
