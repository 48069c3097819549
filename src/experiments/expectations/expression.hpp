#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A value of a run that an expression names: "{run: path}", or "{path}" if the context determines
/// the run.
struct value_reference {
  std::string run; ///< empty if not named
  std::string path;

  friend bool operator==(const value_reference&, const value_reference&) = default;
};

/// A formula over values of runs, such as "{random: job_response_s.p50} / 3". It has the
/// arithmetic, comparisons and functions of muParser (^, <=, &&, ?:, min, max, abs, exp, log, sqrt,
/// ...), pow(x, y) and erlang_c(servers, load), the mean wait in units of the mean service time.
class expression {
public:
  /// Throws `std::invalid_argument` with a text for the user if `text` is not a formula.
  explicit expression(std::string_view text);

  const std::string& text() const { return text_; }

  /// The values that it uses, each once, in the order of their first appearance.
  const std::vector<value_reference>& references() const& { return references_; }
  const std::vector<value_reference>& references() const&& = delete;

  /// Returns its value for the values of `references()`. Throws `value_error` if it is not a finite
  /// number.
  double evaluate(std::span<const double> values) const;

private:
  double compute(std::vector<double> values) const;

  std::string text_;
  std::string formula_; ///< with v0, v1, ... for the references
  std::vector<value_reference> references_;
};

/// Returns `text` with `run` inserted into each reference without a run.
std::string with_run(std::string_view text, std::string_view run);

} // namespace troupe
