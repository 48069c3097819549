#include "runtime/run/drive.hpp"

#include "model/jobs/job_source.hpp"
#include "runtime/time/stall_detector.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

namespace {

/// Limit, by the wall clock, for the rest of an instant after a stop was requested.
constexpr double patience = 0.3;

/// How often progress is reported during a long interval.
constexpr double told_every = 1;

} // namespace

std::size_t memory_of(const run_settings& settings) {
  // Measured sizes in bytes: an actor with its state, a view's part per machine and per partition,
  // and a scheduler's two links with an owner.
  constexpr std::size_t machine = 768;
  constexpr std::size_t scheduler = 12 << 10;
  constexpr std::size_t link_with_owner = 3 << 10;
  constexpr std::size_t view_of_slots = 2; // if they are few
  constexpr std::size_t view_of_resources = 16;
  constexpr std::size_t view_of_partition = 320;
  constexpr std::size_t everything_else = 32 << 20;
  constexpr std::size_t offers_of_machine =
    32; // one scheduler's filter: the declined amount and its expiry
  const std::size_t machines = settings.cluster.machines;
  const std::size_t schedulers = settings.pool > 0 ? settings.pool : settings.schedulers;
  const bool has_view_of_slots =
    settings.cluster.classes.empty() && settings.sync.plan != sync_plan_kind::none;
  const auto view_of_machine = has_view_of_slots ? view_of_slots : view_of_resources;
  auto each = scheduler + machines * view_of_machine;
  if (settings.sync.plan == sync_plan_kind::offers)
    each += machines * offers_of_machine;
  if (settings.sync.plan != sync_plan_kind::none)
    each +=
      settings.cluster.owners * link_with_owner + settings.cluster.partitions * view_of_partition;
  return everything_else + machines * machine + schedulers * each;
}

watched_run::watched_run(virtual_coordinator& time, const run_settings& settings,
                         run_record& record, const stopwatch& watch, run_monitor& monitor)
  : time_{time}, monitor_{monitor} {
  monitor.watch([&time] { return time.whereabouts(); });
  time.stop_when([&, next = told_every]() mutable {
    if (monitor.stop_requested())
      return true;
    if (const auto now = watch.seconds(); now >= next) {
      report_progress(settings, record, time.now(), now, monitor);
      next = now + told_every;
    }
    return false;
  });
}

watched_run::~watched_run() {
  time_.stop_when({});
  monitor_.watch({});
}

void end_instant(virtual_coordinator& time, run_monitor& monitor) {
  const stopwatch since;
  time.stop_when([since] { return since.seconds() > patience; });
  time.go_on();
  time.settle();
  if (!time.stopped())
    return;
  const auto why = "busy within one instant, " + time.whereabouts() + "; there are no results";
  monitor.cannot_end(why);
  throw std::runtime_error(why);
}

bool run_intervals(virtual_coordinator& time, const run_settings& settings, run_record& record,
                   const stopwatch& watch, run_monitor& monitor,
                   const std::function<void(instant)>& go_to) {
  stall_detector detector{settings};
  for (;;) {
    auto next = time.now() + settings.interval;
    if (settings.length > duration::zero())
      next = std::min<instant>(next, settings.length);
    monitor.before_interval(time.now(), next);
    go_to(next);
    report_progress(settings, record, time.now(), watch.seconds(), monitor);
    check_for_failure(record);
    const bool interrupted = monitor.stop_requested();
    bool over = interrupted;
    if (time.stopped()) {
      end_instant(time, monitor);
    } else if (settings.length > duration::zero()) {
      over = over || next >= settings.length;
    } else {
      detector.check(record.totals.tasks, next);
      over = over || record.finished;
    }
    if (over)
      return interrupted;
  }
}

void report_progress(const run_settings& settings, run_record& record, instant now,
                     double wall_seconds, run_monitor& monitor) {
  run_progress at;
  {
    std::lock_guard lock{record.mutex};
    const auto& tasks = record.totals.tasks;
    at = {now,          settings.length, wall_seconds,
          tasks.placed, tasks.finished,  record.totals.conflicts,
          tasks.queued};
  }
  monitor.progress(at);
}

void check_for_failure(run_record& record) {
  std::lock_guard lock{record.mutex};
  if (record.error.empty())
    return;
  if (record.bad_input)
    throw input_error{record.error};
  throw std::runtime_error{record.error};
}

} // namespace troupe
