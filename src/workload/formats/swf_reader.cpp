#include "workload/formats/swf_reader.hpp"

#include "workload/formats/row_fields.hpp"
#include "workload/traces/longest_time.hpp"
#include "workload/traces/next_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

constexpr const char* swf_format =
  "a row has 18 numbers with spaces between: job, submit s, wait s, run s, processors, CPU s, "
  "memory KB, processors requested, time requested s, memory requested KB, status, user, group, "
  "executable, queue, partition, preceding job, think time s";

constexpr double most_processors = 10'000'000;
constexpr double largest_job_number = 0x1p53;
constexpr duration under_half_a_second = std::chrono::milliseconds{500};

enum swf_field : std::size_t {
  job_number,
  submit,
  wait,
  run,
  allocated,
  cpu_time,
  used_memory,
  requested,
  requested_time,
  requested_memory,
  status,
  preceding_job = 16,
  think_time = 17,
  fields = 18
};

} // namespace

swf_reader::swf_reader(const std::string& path, const trace_settings& settings)
  : text_(path),
    window_(settings),
    tally_(swf_format),
    gangs_(settings.gangs),
    used_(settings.processors == processors_kind::used),
    memory_(settings.memory),
    think_times_(settings.think_times) {}

bool swf_reader::next(trace_job& job) {
  return read_next_row(text_, window_, tally_, ';',
                       [&](std::string_view line) { return read_row(line, job); });
}

void swf_reader::read_preceding(double preceding, double think, bool is_earlier,
                                trace_job& job) const {
  job.preceding = trace_job::none;
  if (preceding <= 0)
    return;
  const auto at = text_.path() + ":" + std::to_string(text_.line()) + ": ";
  if (!is_earlier)
    throw std::runtime_error{at + "field 17, the preceding job, is " +
                             std::to_string(std::llround(std::min(preceding, 1e18))) +
                             "; expected the number of a job of an earlier row, or -1 (none), or "
                             "workload.trace.think_times = false"};
  if (think > longest_seconds)
    throw std::runtime_error{at + "field 18, the think time, is " + std::to_string(think) +
                             " s; expected at most 1000000000 s"};
  const auto number = static_cast<std::int64_t>(preceding);
  if (!known_.at(number)) // it is left out
    return;
  job.preceding = number;
  job.think = window_.stretched(from_seconds(std::max(think, 0.0)));
}

bool swf_reader::read_row(std::string_view line, trace_job& job) {
  const auto malformed = [&](std::string_view reason, const std::string& detail) {
    return tally_.malformed(text_.path(), text_.line(), reason, detail);
  };
  std::array<double, fields> x{};
  auto rest = line;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto text = take_field(rest);
    if (text.empty())
      return malformed("too few fields",
                       "this row has " + std::to_string(i) + " fields, " + quote(line));
    const auto number = to_number(text);
    if (!number)
      return malformed("not a number",
                       "field " + std::to_string(i + 1) + ", " + quote(text) + ", is not a number");
    x[i] = *number;
  }
  if (!take_field(rest).empty())
    return malformed("too many fields", "this row has more than 18 fields");
  if (std::abs(x[job_number]) > largest_job_number) {
    rest = line;
    return malformed("job number out of range", "job number " + quote(take_field(rest)) +
                                                  " is beyond 9007199254740992 (2^53)");
  }
  if (x[submit] < 0 || x[submit] > longest_seconds)
    return malformed("time out of range",
                     "submit time " + std::to_string(x[submit]) + " s is not in 0 .. 1000000000 s");
  if (x[run] > longest_seconds || x[requested] > most_processors || x[allocated] > most_processors)
    return malformed("value out of range", "a run time above 1000000000 s or more than 10000000 "
                                           "processors");
  const auto number = static_cast<std::int64_t>(x[job_number]);
  const bool is_earlier = think_times_ && std::abs(x[preceding_job]) <= largest_job_number &&
                          known_.contains(static_cast<std::int64_t>(x[preceding_job]));
  if (think_times_)
    known_.try_emplace(number, false);
  const auto left_out = [&](std::string_view reason) {
    tally_.skip(reason);
    return false;
  };
  if (x[status] >= 2 && x[status] <= 4)
    return left_out("part of a job that has a row of its own");
  const auto submitted = from_seconds(x[submit]);
  if (!window_.holds(submitted, tally_) ||
      !window_.keeps(static_cast<std::uint64_t>(number), tally_))
    return false;
  if (x[run] < 0)
    return left_out("never ran");
  const auto wanted = used_ ? x[allocated] : x[requested];
  const double processors = wanted > 0 ? wanted : used_ ? x[requested] : x[allocated];
  if (processors < 1)
    return left_out("without processors");
  const auto at = window_.shifted(submitted);
  if (!at)
    return malformed("time out of range", "the submit time is above 1000000000 s");
  job.submitted = *at;
  job.groups.resize(1);
  auto& group = job.groups.front();
  group.count = static_cast<std::uint32_t>(processors);
  group.durations.assign(
    1, window_.shortened(x[run] > 0 ? from_seconds(x[run]) : under_half_a_second));
  job.estimate = x[requested_time] > 0
                   ? window_.shortened(from_seconds(std::min(x[requested_time], longest_seconds)))
                   : duration{0};
  job.gang = gangs_ && group.count > 1;
  if (think_times_) {
    read_preceding(x[preceding_job], x[think_time], is_earlier, job);
    job.number = number;
    known_[number] = true;
  }
  job.asks = memory_;
  group.demand = {};
  if (memory_) {
    const double kib = x[requested_memory] > 0 ? x[requested_memory] : x[used_memory];
    group.demand[resource::cpu] = 1000;
    group.demand[resource::memory] =
      static_cast<std::int32_t>(std::clamp(std::ceil(kib / 1024), 0.0, 2e9));
  }
  return true;
}

} // namespace troupe
