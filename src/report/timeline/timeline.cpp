#include "report/timeline/timeline.hpp"

#include "report/text/text.hpp"
#include "report/timeline/timeline_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace troupe {

namespace on = timeline_process;

std::string timeline_size::complaint() const {
  if (left_out == 0)
    return "";
  std::string gaps;
  for (const auto& [kind, from] : gaps_from)
    gaps += fmt::format("{}{} from {:.3f} s", gaps.empty() ? "" : ", ", kind, to_seconds(from));
  return fmt::format(
    "the timeline holds {} events; {} more were left out: some {}. Choose less with "
    "--timeline-from, --timeline-to, --timeline-members, --timeline-machines and "
    "--timeline-jobs",
    count_text(events), count_text(left_out), gaps);
}

timeline::timeline(timeline_filter filter, std::size_t limit)
  : filter_(std::move(filter)), limit_(limit) {
  events_.name_process(on::cluster, "cluster");
}

bool timeline::room(std::string_view kind, std::size_t events, instant at) {
  if (used_ + events <= limit_) {
    used_ += events;
    return true;
  }
  left_out_ += events;
  auto& from = gaps_from_.try_emplace(std::string{kind}, at).first->second;
  from = std::min(from, at);
  return false;
}

timeline_size timeline::size() const {
  return {events_.size(), left_out_, gaps_from_};
}

bool timeline::shows(std::string_view role, std::uint32_t number) const {
  return filter_.members.contains(role, number);
}

trace_track timeline::scheduler_track(scheduler_id scheduler) {
  const trace_track track{on::schedulers, scheduler + 1};
  events_.name_process(on::schedulers, "schedulers");
  events_.name_thread(track, fmt::format("scheduler {}", scheduler));
  return track;
}

void timeline::round(instant at, std::uint64_t number) {
  if (!shows("master", 0) || !filter_.covers(at) || !room("rounds", 1, at))
    return;
  events_.name_process(on::master, "master");
  events_.name_thread({on::master, 1}, "master");
  events_.slice({on::master, 1}, "round", at, at, trace_arguments{}.add("number", number));
}

void timeline::decision(const decision_event& what) {
  if (!shows("scheduler", what.scheduler) || !filter_.covers(what.from, what.to) ||
      !room("decisions", 1, what.from))
    return;
  const auto number = next_flow_++;
  decision_flow_[{what.scheduler, what.to}] = number;
  trace_arguments about;
  about.add("job", what.first_job).add("jobs", what.jobs).add("tasks", what.tasks);
  about.add_ms("view_age_ms", what.view_age);
  events_.slice(scheduler_track(what.scheduler), what.policy, what.from, what.to, about,
                {number, false, true});
}

void timeline::queue(instant at, scheduler_id scheduler, std::uint64_t tasks) {
  if (!shows("scheduler", scheduler) || !filter_.covers(at))
    return;
  const auto last = queue_.find(scheduler);
  if (last != queue_.end() && last->second == tasks)
    return;
  if (!room("queue lengths", 1, at))
    return;
  queue_[scheduler] = tasks;
  events_.name_process(on::schedulers, "schedulers");
  events_.counter(on::schedulers, fmt::format("queue {}", scheduler), "tasks", at,
                  static_cast<double>(tasks));
}

void timeline::arrival(instant at, scheduler_id scheduler, std::uint64_t jobs,
                       std::uint64_t tasks) {
  if (!shows("scheduler", scheduler) || !filter_.covers(at) || !room("arrivals", 1, at))
    return;
  events_.slice(scheduler_track(scheduler), "jobs arrive", at, at,
                trace_arguments{}.add("jobs", jobs).add("tasks", tasks));
}

void timeline::snapshot(const snapshot_event& what) {
  if (!shows("scheduler", what.scheduler) || !filter_.covers(what.at) ||
      !room("snapshots", 1, what.at))
    return;
  trace_arguments about;
  about.add("owner", std::uint64_t{what.owner}).add("round", what.round);
  about.add("partitions", what.partitions).add_ms("age_ms", what.age);
  events_.slice(scheduler_track(what.scheduler), "snapshot", what.at, what.at, about);
}

void timeline::offer(instant at, scheduler_id scheduler, std::uint64_t machines) {
  if (!shows("scheduler", scheduler) || !filter_.covers(at) || !room("offers", 1, at))
    return;
  events_.slice(scheduler_track(scheduler), "offer", at, at,
                trace_arguments{}.add("machines", machines));
}

void timeline::commit(const commit_event& what) {
  const auto decided = decision_flow_.find({what.scheduler, what.sent});
  if (!filter_.covers(what.sent, what.ended))
    return;
  const bool drawn = shows("scheduler", what.scheduler);
  std::vector<commit_event::handling> handled;
  std::ranges::copy_if(what.handled, std::back_inserter(handled),
                       [&](const auto& h) { return shows("owner", h.owner); });
  const bool settles = what.mode == commit_mode::launch || what.mode == commit_mode::release;
  const bool from_decision = !settles && decided != decision_flow_.end();
  const auto parts =
    drawn ? 2 + std::size_t{from_decision} + std::size_t{what.answered} + what.refused.size() : 0;
  if (parts + handled.size() == 0 || !room("commits", parts + handled.size(), what.sent))
    return;
  const auto refused = std::uint64_t{what.refused.size()};
  const auto number = drawn && !handled.empty() ? next_flow_++ : 0;
  const auto id = fmt::format("{}/{}", what.scheduler, what.id);
  const auto part = [&](char kind, std::string_view name, instant at,
                        const trace_arguments& about = {}, trace_flow flow = {}) {
    events_.part(kind, on::schedulers, "commit", id, name, at, about, flow);
  };
  const auto name = fmt::format("commit of {}", what.scheduler);
  if (drawn) {
    events_.name_process(on::schedulers, "schedulers");
    trace_arguments about;
    about.add("number", what.id).add("mode", to_string(what.mode)).add("tasks", what.tasks);
    part('b', name, what.sent, about, {number, false, true});
    if (from_decision)
      part('n', "decided", what.sent, {}, {decided->second, true, false});
  }
  for (std::size_t i = 0; i < handled.size(); ++i) {
    const auto& [owner, at] = handled[i];
    events_.name_process(on::owners, "owners");
    const trace_track track{on::owners, owner + 1};
    events_.name_thread(track, fmt::format("owner {}", owner));
    trace_arguments about;
    about.add("scheduler", std::uint64_t{what.scheduler}).add("tasks", what.tasks);
    if (what.answered)
      about.add("granted", what.tasks - std::min(what.tasks, refused)).add("refused", refused);
    const bool last = i + 1 == handled.size();
    events_.slice(track, i == 0 ? "commit" : "commit again", at, at, about,
                  {number, true, last && what.answered});
  }
  if (!drawn)
    return;
  if (what.answered)
    part('n', "answer", what.ended, {}, {number, number > 0, false});
  for (const auto& r : what.refused) {
    trace_arguments about;
    about.add("machine", std::uint64_t{r.machine});
    if (r.winner != no_scheduler)
      about.add("winner", std::uint64_t{r.winner});
    part('n', "refused: " + to_string(r.cause), what.ended, about);
  }
  part('e', name, what.ended,
       trace_arguments{}.add("outcome", what.answered ? "answered" : "no answer"));
}

std::string timeline::finish(const run_results& results) {
  draw_told_decisions();
  draw_machines(results.simulated);
  draw_totals();
  draw_events(results);
  trace_arguments about;
  about.add("run", results.name).add("architecture", results.architecture);
  about.add("seed", results.seed).add("events", std::uint64_t{events_.size()});
  about.add("left_out", left_out_);
  if (left_out_ > 0) {
    trace_arguments gaps;
    for (const auto& [kind, from] : gaps_from_)
      gaps.add(kind, to_seconds(from));
    about.add("gaps_from_s", gaps);
  }
  return events_.text(about);
}

} // namespace troupe
