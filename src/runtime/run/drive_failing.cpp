#include "runtime/cluster/simulated_cluster.hpp"
#include "runtime/faults/fault_plan.hpp"
#include "runtime/faults/fault_schedule.hpp"
#include "runtime/run/compare_running.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/run/virtual_run.hpp"

#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace troupe {

namespace {

/// Takes the last sample. Frozen members do not answer. After an interruption, continues only as
/// long as the sample takes.
void flush(caf::actor_system& system, virtual_coordinator& time, const recorder_actor& recorder,
           bool interrupted) {
  caf::scoped_actor self{system};
  auto answer = self->request(recorder, caf::infinite, flush_atom_v);
  const auto answered = [&] { return !self->mailbox().empty(); };
  if (interrupted)
    time.stop_when(answered);
  const auto last = time.now() + std::chrono::seconds{1};
  time.run_until(last, false);
  if (time.stopped() && !answered()) {
    time.stop_when(answered);
    time.go_on();
    time.run_until(last, false);
  }
  answer.receive([](caf::ok_atom) {},
                 [&](caf::error& e) { throw std::runtime_error(system.render(e)); });
  // The members that end with the cluster have messages to handle before.
  time.stop_when({});
  time.go_on();
}

std::map<std::string, std::uint64_t> count_failures(const std::vector<fault>& plan, instant until) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& f : plan)
    if (f.from < until)
      ++counts[f.of_network() ? to_string(f.kind) : to_string(f.kind) + " " + to_string(f.what)];
  return counts;
}

run_event_kind begin_of(fault_kind kind) {
  return choice_named<run_event_kind>(name_of(kind)).value();
}

/// Returns the failures before `until`, their ends, and the takeovers, by time.
std::vector<run_event> events_of(const std::vector<fault>& plan, std::vector<run_event> takeovers,
                                 instant until) {
  std::vector<run_event> events;
  for (const auto& f : plan) {
    if (f.from < until)
      events.push_back({f.from, begin_of(f.kind), target_of(f), ""});
    if (f.to < until)
      events.push_back({f.to, run_event_kind::end, target_of(f), to_string(f.kind)});
  }
  std::ranges::move(takeovers, std::back_inserter(events));
  std::ranges::stable_sort(events, {}, &run_event::at);
  return events;
}

/// Shows the failures of a run to those who watch it.
class failures_shown {
public:
  failures_shown(const std::vector<fault>& plan, std::shared_ptr<live_board> board)
    : board_(std::move(board)) {
    if (board_)
      events_ = events_of(plan, {}, instant::max());
  }

  /// Shows those until this instant that were not shown before.
  void show(instant until) {
    for (; shown_ < events_.size() && events_[shown_].at <= until; ++shown_)
      board_->change([&](live_state& state) {
        const auto& e = events_[shown_];
        state.note(e.at, to_string(e.event), e.member, e.detail.empty() ? "" : "of " + e.detail);
      });
  }

private:
  std::shared_ptr<live_board> board_;
  std::vector<run_event> events_;
  std::size_t shown_ = 0;
};

} // namespace

drive_outcome drive_failing(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor, run_inspector* inspector) {
  const auto plan = planned_faults(settings);
  virtual_run run{settings, record, monitor};
  auto& time = run.time();
  auto options = run.options();
  if (inspector != nullptr)
    options.watch = inspector->watch(time);
  simulated_cluster cluster{run.system(), settings, options, plan};
  if (inspector != nullptr)
    inspector->begin(cluster.machines(), [&cluster](role what, std::uint32_t number) {
      const auto* one = cluster.latest(what, number);
      return one == nullptr || one->dead ? caf::strong_actor_ptr{} : one->handle;
    });
  cluster.start(true);
  fault_schedule schedule{plan};
  failures_shown shown{plan, record->live};
  const auto go_to = [&](instant until) {
    shown.show(until);
    while (!time.stopped() && schedule.next() <= until) {
      const auto& edge = schedule.take();
      time.run_until(edge.at);
      if (time.stopped())
        return;
      edge.begins ? cluster.begin(*edge.what) : cluster.end(*edge.what);
    }
    time.run_until(until);
  };
  return run.go(looking(go_to, time, inspector), [&](drive_outcome& outcome) {
    if (inspector != nullptr)
      inspector->end(time.now());
    const auto until = time.now();
    outcome.failures = count_failures(plan, until);
    const auto runs = compare_running(cluster, settings);
    flush(run.system(), time, cluster.recorder(), outcome.interrupted);
    // Members may be replaced while the last sample is taken.
    outcome.events = events_of(plan, cluster.takeovers(), until);
    const std::lock_guard lock{record->mutex};
    record->runs = runs;
  });
}

} // namespace troupe
