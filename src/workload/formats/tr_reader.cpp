#include "workload/formats/tr_reader.hpp"

#include "workload/formats/row_fields.hpp"
#include "workload/traces/longest_time.hpp"
#include "workload/traces/next_row.hpp"

#include <cmath>

namespace troupe {

namespace {

constexpr const char* tr_format =
  "a row is: submit time in s, number of tasks, mean duration in s, then the duration of each task "
  "in s, with spaces between";

} // namespace

tr_reader::tr_reader(const std::string& path, const trace_settings& settings)
  : text_(path), window_(settings), tally_(tr_format) {}

bool tr_reader::next(trace_job& job) {
  return read_next_row(text_, window_, tally_, '#',
                       [&](std::string_view line) { return read_row(line, job); });
}

bool tr_reader::read_row(std::string_view line, trace_job& job) {
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
  if (!window_.holds(submitted, tally_) || !window_.keeps(tally_.rows(), tally_))
    return false;

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

  job.groups.resize(1);
  auto& durations = job.groups.front().durations;
  durations.clear();
  bool alike = true;
  for (auto field = take_field(rest); !field.empty(); field = take_field(rest)) {
    const auto seconds = to_number(field);
    if (!seconds)
      return malformed("not a number", "duration " + quote(field) + " is not a number");
    if (*seconds < 0 || *seconds > longest_seconds)
      return malformed("duration out of range",
                       "duration " + quote(field) + " is not in 0 .. 1000000000 s");
    durations.push_back(window_.shortened(from_seconds(*seconds)));
    alike = alike && durations.back() == durations.front();
  }
  const auto count = static_cast<double>(durations.size());
  if (count != *tasks)
    return malformed(count < *tasks ? "fewer durations than tasks" : "more durations than tasks",
                     "number of tasks " + quote(tasks_field) + " but " +
                       std::to_string(durations.size()) + " durations");
  if (submitted < last_)
    return malformed("earlier than the row before",
                     "submit time " + quote(submit_field) + " is earlier than " + to_string(last_) +
                       " of a row before; sort the file by its first column");
  const auto at = window_.shifted(submitted);
  if (!at)
    return malformed("time out of range", "submit time " + quote(submit_field) +
                                            ", divided by the speedup, is above 1000000000 s");
  last_ = submitted;
  job.submitted = *at;
  job.estimate = *mean > 0 ? window_.shortened(from_seconds(*mean)) : duration{0};
  job.groups.front().count = static_cast<std::uint32_t>(durations.size());
  if (alike)
    durations.resize(1);
  return true;
}

bool tr_reader::malformed(std::string_view reason, const std::string& detail) {
  return tally_.malformed(text_.path(), text_.line(), reason, detail);
}

} // namespace troupe
