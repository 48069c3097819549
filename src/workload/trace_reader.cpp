#include "workload/trace_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::uint64_t rows_before_judgement = 1000;
constexpr std::uint64_t tolerated_one_in = 100;
constexpr double longest_seconds = 1e9;

constexpr const char* row_format =
  "a row is: submit time in s, number of tasks, mean duration in s, then the duration of each task "
  "in s, with spaces between";

/// Takes the next field off the front of `rest`; it is empty if there is none.
std::string_view take_field(std::string_view& rest) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const auto begin = std::min(rest.find_first_not_of(blanks), rest.size());
  const auto end = std::min(rest.find_first_of(blanks, begin), rest.size());
  const auto field = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return field;
}

std::optional<double> to_number(std::string_view field) {
  double x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(x))
    return std::nullopt;
  return x;
}

std::string quote(std::string_view field) {
  constexpr std::size_t longest = 40;
  std::string text{field.substr(0, longest)};
  for (char& c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return '"' + text + (field.size() > longest ? "...\"" : "\"");
}

} // namespace

trace_reader::trace_reader(const std::string& path, const trace_settings& settings)
  : text_(path), settings_(settings) {}

bool trace_reader::next(trace_row& row) {
  while (const auto line = text_.next()) {
    auto rest = *line;
    const auto first = take_field(rest);
    if (first.empty() || first.front() == '#')
      continue;
    ++rows_;
    if (read_row(*line, row)) {
      ++used_;
      return true;
    }
  }
  check_end();
  return false;
}

bool trace_reader::read_row(std::string_view line, trace_row& row) {
  auto rest = line;
  const auto submit_field = take_field(rest);
  const auto submit = to_number(submit_field);
  if (!submit)
    return malformed("not a number", "submit time " + quote(submit_field) + " is not a number");
  if (*submit < 0)
    return malformed("negative time", "submit time " + quote(submit_field) + " is negative");
  if (*submit > longest_seconds)
    return malformed("time out of range",
                     "submit time " + quote(submit_field) + " is above 1000000000 s");
  const auto submitted = from_seconds(*submit);
  if (submitted < settings_.from) {
    ++skipped_["before the window"];
    return false;
  }
  if (settings_.to > duration{0} && submitted >= settings_.to) {
    ++skipped_["after the window"];
    return false;
  }

  const auto tasks_field = take_field(rest);
  const auto mean_field = take_field(rest);
  if (mean_field.empty())
    return malformed("too few fields", quote(line) + " has fewer than three fields");
  const auto tasks = to_number(tasks_field);
  if (!tasks)
    return malformed("not a number", "number of tasks " + quote(tasks_field) + " is not a number");
  if (*tasks <= 0)
    return malformed("no tasks", "number of tasks " + quote(tasks_field) + " is not above 0");
  if (*tasks != std::floor(*tasks))
    return malformed("not a whole number of tasks",
                     "number of tasks " + quote(tasks_field) + " is not a whole number");
  const auto mean = to_number(mean_field);
  if (!mean)
    return malformed("not a number", "mean duration " + quote(mean_field) + " is not a number");
  if (*mean < 0 || *mean > longest_seconds)
    return malformed("duration out of range",
                     "mean duration " + quote(mean_field) + " is not in 0 .. 1000000000 s");

  row.durations.clear();
  bool alike = true;
  for (auto field = take_field(rest); !field.empty(); field = take_field(rest)) {
    const auto seconds = to_number(field);
    if (!seconds)
      return malformed("not a number", "duration " + quote(field) + " is not a number");
    if (*seconds < 0 || *seconds > longest_seconds)
      return malformed("duration out of range",
                       "duration " + quote(field) + " is not in 0 .. 1000000000 s");
    row.durations.push_back(std::max(from_seconds(*seconds), duration{1}));
    alike = alike && row.durations.back() == row.durations.front();
  }
  const auto count = static_cast<double>(row.durations.size());
  if (count != *tasks)
    return malformed(count < *tasks ? "fewer durations than tasks" : "more durations than tasks",
                     "number of tasks " + quote(tasks_field) + " but " +
                       std::to_string(row.durations.size()) + " durations");
  if (submitted < last_)
    return malformed("earlier than the row before",
                     "submit time " + quote(submit_field) + " is earlier than " + to_string(last_) +
                       " of a row before; sort the file by its first column");
  const double since_start = to_seconds(submitted - settings_.from) / settings_.speedup;
  if (since_start > longest_seconds)
    return malformed("time out of range", "submit time " + quote(submit_field) +
                                            ", divided by the speedup, is above 1000000000 s");
  last_ = submitted;
  row.submitted = from_seconds(since_start);
  row.estimate = from_seconds(*mean);
  row.tasks = static_cast<std::uint32_t>(row.durations.size());
  if (alike)
    row.durations.resize(1);
  return true;
}

bool trace_reader::malformed(const char* reason, const std::string& detail) {
  ++skipped_[reason];
  ++malformed_;
  if (malformed_ == 1)
    first_malformed_ = text_.path() + ":" + std::to_string(text_.line()) + ": " + detail;
  if (rows_ >= rows_before_judgement)
    refuse_if_mostly_malformed();
  return false;
}

void trace_reader::refuse_if_mostly_malformed() const {
  if (malformed_ * tolerated_one_in <= rows_)
    return;
  throw std::runtime_error{first_malformed_ + "; " + row_format + " (" +
                           std::to_string(malformed_) + " of the first " + std::to_string(rows_) +
                           " rows are malformed; 1 in 100 may be)"};
}

void trace_reader::check_end() const {
  if (rows_ == 0)
    throw std::runtime_error{text_.path() + ": the file holds no rows; " + row_format};
  refuse_if_mostly_malformed();
  if (used_ == 0)
    throw std::runtime_error{
      text_.path() + ": no row is submitted in the window of [workload.trace], from " +
      to_string(settings_.from) +
      (settings_.to > duration{0} ? " to " + to_string(settings_.to) : " to the end")};
}

} // namespace troupe
