#include "report/timeline/timeline.hpp"
#include "report/timeline/timeline_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

// Jobs, tasks and refusals, from the records.
namespace troupe {

namespace {

/// The part of a job's number that counts the jobs of its workload.
constexpr job_id job_count_bits = (job_id{1} << 40) - 1;

bool chosen(const number_ranges& jobs, job_id id) {
  return jobs.contains(id) || jobs.contains(id & job_count_bits);
}

trace_arguments demand_of(const task_id& task, const resources& demand) {
  trace_arguments about;
  about.add("task", to_string(task));
  if (const auto cpu = demand[resource::cpu]; cpu > 0)
    about.add("cpu_cores", static_cast<double>(cpu) / 1000);
  if (const auto memory = demand[resource::memory]; memory > 0)
    about.add("memory_gib", static_cast<double>(memory) / 1024);
  if (const auto gpus = demand[resource::gpu]; gpus > 0)
    about.add("gpus", static_cast<double>(gpus) / 1000);
  if (const auto slots = demand[resource::slots]; slots > 0)
    about.add("slots", static_cast<std::uint64_t>(slots));
  return about;
}

} // namespace

void timeline::add(const record_batch& records, const run_results& so_far) {
  for (const auto& job : records.jobs)
    add_job(job, so_far);
  for (const auto& task : records.tasks)
    add_task(task);
  if (!watched_)
    for (const auto& refusal : records.attempts)
      add_refusal(refusal);
}

void timeline::add_job(const job_record& job, const run_results& so_far) {
  const auto over = job.state != record_state::queued && job.state != record_state::running;
  const auto end = over && job.at.ended != no_instant ? job.at.ended : job.at.submitted;
  if (!chosen(filter_.jobs, job.job) ||
      !filter_.covers(job.at.submitted, over ? end : filter_.to) ||
      !room("jobs", over ? 2 : 1, job.at.submitted))
    return;
  events_.name_process(timeline_process::jobs, "jobs");
  const auto name = fmt::format("job {}", job.job);
  const auto id = std::to_string(job.job);
  trace_arguments about;
  if (job.group < so_far.groups.size())
    about.add("group", so_far.groups[job.group].name);
  if (job.tenant < so_far.tenants.size())
    about.add("tenant", so_far.tenants[job.tenant].name);
  about.add("tasks", std::uint64_t{job.tasks}).add("priority", static_cast<double>(job.priority));
  about.add("state", name_of(job.state));
  events_.part('b', timeline_process::jobs, "job", id, name, job.at.submitted, about);
  if (over) // viewers draw what does not end to the end of the trace
    events_.part('e', timeline_process::jobs, "job", id, name, end);
}

void timeline::add_task(const task_record& task) {
  const auto& at = task.at;
  const auto run_from = at.started != no_instant ? at.started : at.granted;
  const auto run_to = at.ended != no_instant ? at.ended : instant::max();
  if (task.machine != no_machine && run_from != no_instant &&
      filter_.machines.contains(task.machine) && filter_.covers(run_from, run_to) &&
      room("tasks on machines", 1, run_from))
    machine_tasks_.push_back({task.machine, task.task, run_from, run_to, task.demand, task.state});
  if (!watched_)
    add_told_commit(task);
  if (!chosen(filter_.jobs, task.task.job) || at.eligible == no_instant ||
      !filter_.covers(at.eligible, run_to))
    return;
  // What is known of its steps, one after the other.
  struct step {
    const char* name;
    instant from;
    instant to;
  };
  std::array<step, 4> steps{
    step{"wait", at.eligible, at.began}, step{"decide", at.began, at.decided},
    step{"commit", at.decided, at.granted}, step{"run", run_from, at.ended}};
  if (at.began == no_instant) { // its scheduler makes no decisions
    steps[0].to = run_from;
    steps[1].from = steps[2].from = no_instant;
  }
  auto reached = at.eligible;
  std::vector<step> drawn;
  for (auto s : steps) {
    if (s.from == no_instant || s.to == no_instant)
      continue;
    s.from = std::max(s.from, reached);
    s.to = std::max(s.to, s.from);
    reached = s.to;
    drawn.push_back(s);
  }
  const bool over = at.ended != no_instant && at.ended >= reached;
  if (!room("tasks of jobs", 2 * drawn.size() + 1 + std::size_t{over}, at.eligible))
    return;
  events_.name_process(timeline_process::jobs, "jobs");
  const auto id = to_string(task.task);
  const auto part = [&](char kind, std::string_view name, instant when,
                        const trace_arguments& about = {}) {
    events_.part(kind, timeline_process::jobs, "task", id, name, when, about);
  };
  auto about = demand_of(task.task, task.demand);
  about.add("scheduler", std::uint64_t{task.scheduler}).add("state", name_of(task.state));
  about.add("attempts", std::uint64_t{task.tallies.attempts});
  if (task.machine != no_machine)
    about.add("machine", std::uint64_t{task.machine});
  const auto name = "task " + id;
  part('b', name, at.eligible, about);
  for (const auto& s : drawn) {
    part('b', s.name, s.from);
    part('e', s.name, s.to);
  }
  if (over)
    part('e', name, reached);
}

void timeline::add_told_commit(const task_record& task) {
  const auto& at = task.at;
  if (!shows("scheduler", task.scheduler) || at.began == no_instant || at.decided == no_instant)
    return;
  if (filter_.covers(at.began, at.decided)) {
    const told_decision key{task.scheduler, at.began, at.decided};
    if (const auto known = told_decisions_.find(key); known != told_decisions_.end())
      ++known->second;
    else if (room("decisions", 1, at.began))
      told_decisions_.emplace(key, 1);
  }
  if (at.granted == no_instant || at.granted < at.decided ||
      !filter_.covers(at.decided, at.granted) || !room("commits", 2, at.decided))
    return;
  events_.name_process(timeline_process::schedulers, "schedulers");
  const auto name = fmt::format("commit of {}", task.scheduler);
  const auto id = fmt::format("{}/{}", task.scheduler, ++told_commits_);
  trace_arguments about;
  about.add("task", to_string(task.task)).add("machine", std::uint64_t{task.machine});
  events_.part('b', timeline_process::schedulers, "commit", id, name, at.decided, about);
  events_.part('e', timeline_process::schedulers, "commit", id, name, at.granted);
}

void timeline::add_refusal(const attempt_record& refusal) {
  if (!shows("scheduler", refusal.scheduler) || !filter_.covers(refusal.at) ||
      !room("refusals", 1, refusal.at))
    return;
  trace_arguments about;
  about.add("task", to_string(refusal.task)).add("machine", std::uint64_t{refusal.machine});
  about.add("owner", std::uint64_t{refusal.owner});
  if (refusal.winner != no_scheduler)
    about.add("winner", std::uint64_t{refusal.winner});
  about.add_ms("view_age_ms", refusal.view_age);
  const auto track = scheduler_track(refusal.scheduler);
  events_.mark(track, "refused: " + to_string(refusal.cause), refusal.at, false, about);
}

void timeline::draw_told_decisions() {
  std::map<scheduler_id, instant> free_from; // a busy host hands decisions out late
  for (const auto& [what, tasks] : told_decisions_) {
    auto& reached = free_from[what.scheduler];
    const auto from = std::max(what.from, reached);
    reached = std::max(from, what.to);
    events_.slice(scheduler_track(what.scheduler), "decision", from, reached,
                  trace_arguments{}.add("tasks", tasks));
  }
}

void timeline::draw_machines(instant end) {
  std::ranges::sort(machine_tasks_, {}, [](const machine_task& t) {
    return std::tuple{t.machine, t.from, t.task};
  });
  std::vector<instant> lanes; // when each is free
  machine_id machine = no_machine;
  for (const auto& t : machine_tasks_) {
    if (machine != t.machine)
      lanes.clear();
    machine = t.machine;
    const auto until = std::max(t.from, std::min(t.to, end));
    auto lane = std::ranges::find_if(lanes, [&](instant free) { return free <= t.from; });
    if (lane == lanes.end())
      lane = lanes.insert(lanes.end(), instant{0});
    *lane = until;
    const trace_track track{timeline_process::machines + machine,
                            static_cast<std::uint32_t>(lane - lanes.begin()) + 1};
    events_.name_process(track.process, fmt::format("machine {}", machine));
    events_.name_thread(track, fmt::format("lane {}", track.thread));
    auto about = demand_of(t.task, t.demand);
    about.add("state", name_of(t.state));
    events_.slice(track, fmt::format("job {}", t.task.job), t.from, until, about);
  }
}

} // namespace troupe
