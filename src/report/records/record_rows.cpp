#include "report/records/record_rows.hpp"

#include "report/columns/columns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace troupe {

namespace {

constexpr double mib_per_gib = 1024;
constexpr double milli = 1000;

/// Adds amounts in cores, GiB, cards and slots; nothing for those that are 0.
template <class Amounts>
void add_amounts(record_cells& to, const Amounts& a) {
  const auto amount = [&](resource r) {
    return static_cast<std::int64_t>(a.amount[static_cast<std::size_t>(r)]);
  };
  if (const auto cpu = amount(resource::cpu); cpu != 0)
    to.add_thousandths(cpu);
  else
    to.skip();
  if (const auto memory = amount(resource::memory); memory != 0)
    to.add_1024ths(memory); // MiB
  else
    to.skip();
  if (const auto gpu = amount(resource::gpu); gpu != 0)
    to.add_thousandths(gpu);
  else
    to.skip();
  if (const auto slots = amount(resource::slots); slots != 0)
    to.add(slots);
  else
    to.skip();
}

void add_instant(record_cells& to, instant at) {
  if (at == no_instant)
    to.skip();
  else
    to.add(at);
}

/// Adds the time between two instants, if both are known.
void add_between(record_cells& to, instant from, instant until) {
  if (from == no_instant || until == no_instant)
    to.skip();
  else
    to.add(until - from);
}

template <class Number>
void add_if(record_cells& to, bool known, Number n) {
  if (known)
    to.add(n);
  else
    to.skip();
}

void add_cause(record_cells& to, std::size_t cause) {
  constexpr std::string_view names[] = {"taken", "changed", "gone", "moved", "aborted"};
  to.add_text(cause < std::size(names) ? names[cause] : std::string_view{});
}

/// Adds the mean of `count` durations.
void add_mean(record_cells& to, duration sum, std::uint32_t count) {
  if (count == 0)
    to.skip();
  else
    to.add(static_cast<double>(sum.count()) / count / 1e9);
}

bool is_over(record_state state) {
  return state >= record_state::finished;
}

constexpr std::size_t most_cells = 48; // of a row

void add_cells(record_cells& to, const job_record& r, const record_names& names) {
  to.add(r.job);
  to.add_text(names.group(r.group));
  to.add_text(names.tenant(r.tenant));
  to.add_text(names.task_class(r.task_class));
  to.add(r.scheduler);
  to.add(r.priority);
  to.add(r.gang);
  to.add(r.tasks);
  add_amounts(to, r.demand);
  to.add_text(name_of(r.state));
  for (const auto n : r.over)
    to.add(n);
  to.add(r.at.submitted);
  add_instant(to, r.at.decided);
  add_instant(to, r.at.first_placed);
  add_instant(to, r.at.last_placed);
  const auto ended = is_over(r.state) ? r.at.ended : no_instant;
  add_instant(to, ended);
  add_between(to, r.at.submitted, r.at.began);
  to.add(r.placed.count);
  add_mean(to, r.placed.delay, r.placed.count);
  add_if(to, r.placed.count > 0, r.placed.longest_delay);
  add_between(to, r.at.submitted, ended);
  to.add(r.ideal);
  add_if(to, r.state == record_state::finished && r.ideal > duration::zero(),
         to_seconds(ended == no_instant ? duration{0} : ended - r.at.submitted) /
           to_seconds(r.ideal));
  to.add(r.attempts);
  std::uint64_t conflicts = 0;
  for (const auto n : r.conflicts)
    conflicts += n;
  to.add(conflicts);
  for (const auto n : r.conflicts)
    to.add(n);
  to.add(r.preempted);
  to.add(r.lost);
  to.add(r.work_lost);
  add_if(to, r.placed.count > 0, r.placed.quality / r.placed.count);
  add_mean(to, r.placed.view_age, r.placed.aged);
  const auto used = [&](resource kind) { return r.used.amount[static_cast<std::size_t>(kind)]; };
  add_if(to, used(resource::cpu) > 0, used(resource::cpu) / milli);
  add_if(to, used(resource::memory) > 0, used(resource::memory) / mib_per_gib);
  to.add_text(name_of(r.reason));
  add_if(to, r.estimate > duration::zero(), r.estimate);
  to.add(r.requested);
}

void add_cells(record_cells& to, const task_record& r, const record_names& names) {
  const auto& at = r.at;
  to.add(r.task.job);
  to.add(r.task.index);
  to.add(r.task_group);
  to.add_text(names.group(r.group));
  to.add(r.scheduler);
  add_amounts(to, r.demand);
  to.add_text(name_of(r.state));
  add_instant(to, at.submitted);
  add_instant(to, at.eligible);
  add_instant(to, at.decided);
  add_instant(to, at.granted);
  add_instant(to, at.started);
  add_instant(to, at.ended);
  add_between(to, at.eligible, at.began);
  add_between(to, at.began, at.decided);
  add_between(to, at.decided, at.granted);
  add_between(to, at.eligible,
              at.granted != no_instant  ? at.granted
              : r.owner == no_scheduler ? at.started
                                        : no_instant);
  add_between(to, at.started, at.ended);
  const auto& n = r.tallies;
  to.add(n.attempts);
  to.add(n.conflicts);
  if (n.last_conflict < conflict_causes)
    add_cause(to, n.last_conflict);
  else
    to.add_text("none"); // a column of text in all its rows, for readers that guess its type
  to.add(n.runs);
  to.add(n.preempted);
  to.add(n.lost);
  to.add(n.work_lost);
  const bool placed = r.machine != no_machine;
  add_if(to, placed, r.machine);
  add_if(to, placed, r.partition);
  add_if(to, placed && r.owner != no_scheduler, r.owner);
  add_if(to, r.quality > 0 && placed, static_cast<float>(r.quality));
  add_if(to, r.view_age != unknown_time, r.view_age);
  to.add(r.diverted);
  to.add_text(name_of(r.reason));
  add_if(to, n.refused > duration::zero(), n.refused);
  add_if(to, n.backed_off > duration::zero(), n.backed_off);
}

void add_cells(record_cells& to, const attempt_record& r, const record_names&) {
  to.add(r.at);
  to.add(r.task.job);
  to.add(r.task.index);
  to.add(r.attempt);
  to.add(r.scheduler);
  to.add(r.owner);
  to.add(r.partition);
  to.add(r.machine);
  add_cause(to, static_cast<std::size_t>(r.cause));
  add_if(to, r.winner != no_scheduler, r.winner);
  add_if(to, r.view_age != unknown_time, r.view_age);
  add_amounts(to, r.free);
  add_amounts(to, r.asked);
  to.add_text(name_of(r.reason));
  add_instant(to, r.retry_at);
}

/// Adds a row with room for its cells.
template <class Record>
void add_any_row(record_text& to, const Record& r, const record_names& names) {
  to.add_row(most_cells * record_cells::longest_cell + names.longest(),
             [&](record_cells& row) { add_cells(row, r, names); });
}

} // namespace

std::string as_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string{text};
  std::string cell{'"'};
  for (const char c : text)
    cell += c == '"' ? std::string{"\"\""} : std::string(1, c);
  return cell + '"';
}

record_names::record_names(const run_results& run) {
  for (const auto& g : run.groups)
    groups_.push_back(as_cell(g.name));
  for (const auto& t : run.tenants)
    tenants_.push_back(as_cell(t.name));
  if (!run.task_classes.empty())
    classes_.emplace_back();
  for (const auto& name : run.task_classes)
    classes_.push_back(as_cell(name));
  for (const auto* names : {&groups_, &tenants_, &classes_})
    if (!names->empty())
      longest_ += std::ranges::max_element(*names, {}, &std::string::size)->size();
}

std::string_view job_header() {
  static const auto line = names_of(job_columns()) + '\n';
  return line;
}

std::string_view task_header() {
  static const auto line = names_of(task_columns()) + '\n';
  return line;
}

std::string_view attempt_header() {
  static const auto line = names_of(attempt_columns()) + '\n';
  return line;
}

void add_row(record_text& to, const job_record& r, const record_names& names) {
  add_any_row(to, r, names);
}

void add_row(record_text& to, const task_record& r, const record_names& names) {
  add_any_row(to, r, names);
}

void add_row(record_text& to, const attempt_record& r, const record_names& names) {
  add_any_row(to, r, names);
}

} // namespace troupe
