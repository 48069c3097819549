#include "workload/alibaba_reader.hpp"

#include "workload/row_fields.hpp"

#include <algorithm>
#include <array>

namespace troupe {

namespace {

constexpr const char* row_format =
  "a row of batch_task has 9 fields with commas between: task_name, instance_num, job_name, "
  "task_type, status, start_time s, end_time s, plan_cpu, plan_mem";

/// Rows of a job may be this many jobs apart.
constexpr std::size_t jobs_held = 1000;

constexpr std::int64_t longest_seconds = 1'000'000'000;
constexpr std::uint32_t most_instances = 10'000'000;

enum field : std::size_t {
  task,
  instances,
  job_name,
  task_type,
  status,
  start,
  end,
  cpu,
  memory,
  fields
};

} // namespace

alibaba_reader::alibaba_reader(std::vector<std::string> paths, const trace_settings& settings)
  : text_(std::move(paths)), window_(settings), tally_(row_format) {}

bool alibaba_reader::next(trace_job& job) {
  while (!ended_ || !open_.empty()) {
    if (ended_ || open_.size() > jobs_held) {
      if (finish(job))
        return true;
      continue;
    }
    const auto line = text_.next();
    if (!line) {
      ended_ = true;
      continue;
    }
    if (line->empty())
      continue;
    tally_.row();
    read_row(*line);
  }
  window_.check_end(text_.path(), tally_);
  return false;
}

bool alibaba_reader::read_row(std::string_view line) {
  const auto malformed = [&](std::string_view reason, const std::string& detail) {
    return tally_.malformed(text_.path(), text_.line(), reason, detail);
  };
  const auto left_out = [&](std::string_view reason) {
    tally_.skip(reason);
    return false;
  };
  std::array<std::string_view, fields> x;
  const auto n = split(line, ',', x);
  if (n != fields)
    return malformed(n < fields ? "too few fields" : "too many fields",
                     "this row has " + std::to_string(n) + " fields");
  if (x[job_name].empty())
    return malformed("no job", "job_name is empty");
  const auto begin = x[start].empty() ? std::optional<std::int64_t>{0} : to_integer(x[start]);
  const auto finish = x[end].empty() ? std::optional<std::int64_t>{0} : to_integer(x[end]);
  if (!begin || !finish || *begin > longest_seconds || *finish > longest_seconds)
    return malformed("not a time", "start_time " + quote(x[start]) + " and end_time " +
                                     quote(x[end]) + " are no whole numbers up to 1000000000");
  if (*begin <= 0)
    return left_out("never started");
  if (*finish <= 0)
    return left_out("no end in the trace");
  if (*finish < *begin)
    return malformed("ends before it starts", "end_time " + quote(x[end]) +
                                                " is earlier than start_time " + quote(x[start]));
  if (x[instances].empty())
    return left_out("without instances");
  const auto count = to_integer<std::uint32_t>(x[instances]);
  if (!count || *count > most_instances)
    return malformed("not a number", "instance_num " + quote(x[instances]) +
                                       " is no whole number in 0 .. 10000000");
  if (*count == 0)
    return left_out("without instances");
  if (x[cpu].empty() && x[memory].empty())
    return left_out("no request");
  const auto amount = [](std::string_view text) {
    return text.empty() ? std::optional<double>{0} : to_number(text);
  };
  const auto cores = amount(x[cpu]);
  const auto gib = amount(x[memory]);
  if (!cores || !gib || *cores < 0 || *gib < 0 || *cores > 1e8 || *gib > 1e6)
    return malformed("not an amount", "plan_cpu " + quote(x[cpu]) + " and plan_mem " +
                                        quote(x[memory]) + " are no amounts");
  row made{parse_task_name(x[task]),
           *count,
           std::chrono::seconds{*begin},
           std::chrono::seconds{std::max<std::int64_t>(*finish - *begin, 1)},
           {}};
  made.demand[resource::cpu] = static_cast<std::int32_t>(std::lround(*cores * 10));
  made.demand[resource::memory] = static_cast<std::int32_t>(std::lround(*gib * 1024));
  if (made.demand.is_zero())
    return left_out("no request");
  auto& of = open(x[job_name]);
  if (of.rows.empty())
    of.start = made.start;
  of.start = std::min(of.start, made.start);
  of.rows.push_back(std::move(made));
  return true;
}

alibaba_reader::open_job& alibaba_reader::open(std::string_view name) {
  if (!open_.empty() && open_.back().name == name)
    return open_.back();
  const auto [it, added] = places_.try_emplace(std::string{name}, closed_ + open_.size());
  if (added)
    open_.push_back({std::string{name}, duration{0}, {}});
  return open_[it->second - closed_];
}

bool alibaba_reader::finish(trace_job& job) {
  auto done = std::move(open_.front());
  open_.pop_front();
  ++closed_;
  places_.erase(done.name);
  return make(done, job);
}

bool alibaba_reader::make(open_job& from, trace_job& job) {
  if (!window_.holds(from.start, tally_) || !window_.keeps(from.name, tally_))
    return false;
  const auto at = window_.shifted(from.start);
  if (!at) {
    tally_.skip("time out of range");
    return false;
  }
  std::vector<std::optional<task_name>> names;
  names.reserve(from.rows.size());
  for (auto& r : from.rows)
    names.push_back(std::move(r.name));
  const auto graph = task_graph::of(names);
  tally_.skip("dependency on a task that is not there", graph.unknown);
  tally_.skip("dependency in a circle", graph.circular);
  job.submitted = *at;
  job.asks = true;
  job.groups.resize(from.rows.size());
  std::vector<std::uint32_t> place(from.rows.size());
  double seconds = 0;
  for (std::uint32_t g = 0; g < graph.order.size(); ++g) {
    const auto i = graph.order[g];
    place[i] = g;
    auto& group = job.groups[g];
    group.count = from.rows[i].instances;
    group.demand = from.rows[i].demand;
    group.durations.assign(1, window_.shortened(from.rows[i].length));
    seconds += to_seconds(group.durations.front()) * group.count;
    group.after.clear();
    for (auto p : graph.parents[i])
      group.after.push_back(place[p]);
    std::ranges::sort(group.after);
  }
  job.estimate = from_seconds(seconds / static_cast<double>(job.task_count()));
  tally_.use();
  return true;
}

} // namespace troupe
