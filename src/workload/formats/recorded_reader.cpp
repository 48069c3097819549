#include "workload/formats/recorded_reader.hpp"

#include "workload/formats/recorded_rows.hpp"
#include "workload/formats/row_fields.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr const char* line_format =
  "a line is a JSON object with a job or a machine, as 'troupe record' writes it";

} // namespace

recorded_reader::recorded_reader(const std::string& path, const trace_settings& settings)
  : text_(path), window_(settings), tally_(line_format) {
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error{path + ":1: " + why};
  };
  const auto line = text_.next();
  try {
    if (!line || !read_recorded(*line).head)
      refuse(
        "this is not the first line of a recording; expected one as 'troupe record' writes it");
  } catch (const recording_fault& e) {
    refuse(e.what());
  }
}

bool recorded_reader::next(trace_job& job) {
  while (const auto line = text_.next()) {
    if (line->empty())
      continue;
    if (text_.is_cut()) {
      tally_.row();
      tally_.skip("last row, without a line end: it may be cut");
    } else if (read_row(*line, job)) {
      tally_.use();
      return true;
    }
  }
  window_.check_end(text_.path(), tally_);
  return false;
}

bool recorded_reader::read_row(std::string_view line, trace_job& job) {
  recorded_line read;
  try {
    read = read_recorded(line);
  } catch (const recording_fault& e) {
    tally_.row();
    return tally_.malformed(text_.path(), text_.line(), "not a line of a recording", e.what());
  }
  if (!read.job)
    return false;
  tally_.row();
  const auto& from = *read.job;
  const auto submitted = from_seconds(from.at_s);
  if (!window_.holds(submitted, tally_) || !window_.keeps(from.name, tally_))
    return false;
  const auto at = window_.shifted(submitted);
  if (!at)
    return tally_.malformed(text_.path(), text_.line(), "time out of range",
                            "at_s, divided by the speedup, is above 1000000000 s");
  job = {};
  job.submitted = *at;
  job.asks = true;
  job.gang = from.gang;
  job.priority = from.priority;
  job.tenant = from.tenant;
  double sum = 0;
  for (const auto& g : from.groups) {
    auto& group = job.groups.emplace_back();
    group.count = static_cast<std::uint32_t>(g.durations_s.size());
    group.demand = g.demand;
    group.constraints = g.constraints;
    group.after = g.after;
    for (const auto seconds : g.durations_s) {
      group.durations.push_back(window_.shortened(from_seconds(seconds)));
      sum += static_cast<double>(group.durations.back().count());
    }
    if (std::ranges::adjacent_find(group.durations, std::ranges::not_equal_to{}) ==
        group.durations.end())
      group.durations.resize(1);
  }
  job.estimate = duration{static_cast<std::int64_t>(sum / static_cast<double>(job.task_count()))};
  return true;
}

} // namespace troupe
