#include "workload/formats/google_reader.hpp"

#include "workload/formats/row_fields.hpp"

#include <array>

namespace troupe {

using namespace google2011;

namespace {

constexpr const char* task_format =
  "a row of task_events has 13 fields with commas between: time us, missing info, job, task index, "
  "machine, event type, user, scheduling class, priority, CPU, memory, disk, different machines";

constexpr const char* job_format =
  "a row of job_events has 8 fields with commas between: time us, missing info, job, event type, "
  "user, scheduling class, name, logical name";

/// A task's constraints may stand this much earlier than its submission.
constexpr duration constraint_lead = std::chrono::seconds{1};

std::optional<constraint_operator> operator_of(std::string_view code) {
  constexpr constraint_operator all[] = {constraint_operator::equals,
                                         constraint_operator::not_equals, constraint_operator::less,
                                         constraint_operator::greater};
  if (code.size() != 1 || code[0] < '0' || code[0] > '3')
    return std::nullopt;
  return all[code[0] - '0'];
}

} // namespace

google_reader::google_reader(const google_tables& tables, const trace_settings& settings)
  : text_(tables.task_events.empty() ? tables.job_events : tables.task_events),
    jobs_only_(tables.task_events.empty()),
    settings_(settings),
    window_(settings),
    tally_(jobs_only_ ? job_format : task_format),
    jobs_(settings, tally_) {
  if (!tables.task_constraints.empty() && !jobs_only_) {
    constraints_ = std::make_unique<text_files>(tables.task_constraints);
    read_constraint();
  }
}

bool google_reader::next(trace_job& job) {
  for (;;) {
    if (jobs_.take(job))
      return true;
    if (ended_)
      break;
    read_row();
  }
  window_.check_end(text_.path(), tally_);
  return false;
}

void google_reader::read_row() {
  const auto line = text_.next();
  const bool beyond = settings_.to > duration{0} && last_ > settings_.to + settings_.horizon;
  if (!line || beyond) {
    constrain_until(duration::max());
    jobs_.end();
    ended_ = true;
    return;
  }
  if (line->empty())
    return;
  tally_.row();
  task_row row;
  if (!read_event(*line, row))
    return;
  if (constraints_)
    constrain_until(row.at);
  last_ = row.at;
  jobs_.add(row);
}

bool google_reader::malformed(std::string_view reason, const std::string& detail) {
  return tally_.malformed(text_.path(), text_.line(), reason, detail);
}

bool google_reader::read_event(std::string_view line, task_row& row) {
  std::array<std::string_view, 13> x;
  const std::size_t columns = jobs_only_ ? 8 : 13;
  const auto n = split(line, ',', x);
  if (n != columns)
    return malformed(n < columns ? "too few fields" : "too many fields",
                     "this row has " + std::to_string(n) + " fields");
  const auto time = to_time(x[0]);
  if (!time)
    return malformed("not a time", "time " + quote(x[0]) + " is not a number of microseconds");
  const auto job = to_integer<std::uint64_t>(x[2]);
  if (!job)
    return malformed("not a number", "job " + quote(x[2]) + " is not a whole number");
  const auto type = to_integer(x[jobs_only_ ? 3 : 5]);
  if (!type || *type < 0 || *type >= google2011::events)
    return malformed("no event",
                     "event type " + quote(x[jobs_only_ ? 3 : 5]) + " is not in 0 .. 8");
  ++counts_[static_cast<std::size_t>(*type)];
  without_request_ += !jobs_only_ && x[9].empty() && x[10].empty();
  if (*time == 0) {
    tally_.skip("before the trace began");
    return false;
  }
  if (*time == after_window) {
    tally_.skip("after the trace ended");
    return false;
  }
  row.at = since_begin(*time);
  row.job = *job;
  row.what = static_cast<event>(*type);
  if (row.at < last_)
    return malformed("earlier than the row before", "time " + quote(x[0]) +
                                                      " is earlier than that of a row before; "
                                                      "sort the file by its first column");
  if (jobs_only_)
    return true;
  const auto index = to_integer<std::uint32_t>(x[3]);
  if (!index)
    return malformed("not a number", "task index " + quote(x[3]) + " is not a whole number");
  row.index = *index;
  if (row.what != event::submit)
    return true;
  const auto priority = x[8].empty() ? std::optional<std::int64_t>{0} : to_integer(x[8]);
  if (!priority || *priority < -1000 || *priority > 1000)
    return malformed("not a priority", "priority " + quote(x[8]) + " is not a whole number");
  row.priority = static_cast<std::int32_t>(*priority);
  const auto amount = [](std::string_view text, std::int32_t& to) {
    if (text.empty())
      return true;
    const auto found = to_units(text);
    to = found.value_or(-1);
    return found.has_value();
  };
  if (!amount(x[9], row.cpu) || !amount(x[10], row.memory))
    return malformed("not an amount", "CPU request " + quote(x[9]) + " and memory request " +
                                        quote(x[10]) + " are not shares of a machine");
  row.spread = x[12] == "1";
  return true;
}

bool google_reader::read_constraint() {
  next_constraint_.reset();
  while (const auto line = constraints_->next()) {
    std::array<std::string_view, 6> x;
    if (line->empty())
      continue;
    const auto n = split(*line, ',', x);
    const auto time = to_time(x[0]);
    const auto job = to_integer<std::uint64_t>(x[1]);
    const auto index = to_integer<std::uint32_t>(x[2]);
    const auto op = operator_of(x[3]);
    if (n != x.size() || !time || !job || !index || !op || x[4].empty()) {
      tally_.row();
      tally_.malformed(constraints_->path(), constraints_->line(), "not a constraint",
                       quote(*line) +
                         " is not a row of task_constraints: time us, job, task index, "
                         "operator 0 .. 3, attribute, value");
      continue;
    }
    if (x[5].empty()) {
      tally_.skip("constraint that compares with nothing");
      continue;
    }
    if (*time == 0 || *time == after_window)
      continue;
    next_constraint_ = {
      since_begin(*time), *job, *index, {std::string{x[4]}, *op, {std::string{x[5]}}}};
    return true;
  }
  return false;
}

std::map<std::string, std::uint64_t> google_reader::events() const {
  std::map<std::string, std::uint64_t> all;
  for (std::size_t e = 0; e < counts_.size(); ++e)
    if (counts_[e] > 0)
      all[event_names[e]] = counts_[e];
  if (without_request_ > 0)
    all["without a request"] = without_request_;
  if (jobs_.late_parts() > 0) {
    all["later parts of jobs, as jobs"] = jobs_.late_parts();
    all["tasks in these"] = jobs_.late_tasks();
  }
  return all;
}

void google_reader::constrain_until(duration at) {
  while (next_constraint_ && next_constraint_->at < at - constraint_lead) {
    jobs_.constrain(next_constraint_->job, next_constraint_->index,
                    std::move(next_constraint_->what));
    read_constraint();
  }
}

} // namespace troupe
