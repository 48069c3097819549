#include "actors/sparrow/sparrow_core.hpp"

#include <utility>

namespace troupe {

void sparrow_core::submit(std::vector<job> jobs) {
  for (auto& j : jobs)
    parts_.accounts.submit(parts_.jobs.add(std::move(j), parts_.probed.pools()));
}

std::optional<duration> sparrow_core::decide(instant from) {
  const auto* j = parts_.jobs.decide_next();
  if (j == nullptr)
    return std::nullopt;
  const auto& limits = parts_.limits;
  const auto cost = limits.t_job + limits.t_task * static_cast<std::int64_t>(j->tasks.size());
  parts_.accounts.begin_decision(*j, from, cost);
  return cost;
}

void sparrow_core::place(sparrow_outbox& out) {
  parts_.accounts.end_decision();
  if (auto* j = parts_.jobs.decided())
    parts_.search.place(*j, out);
  parts_.accounts.check();
}

void sparrow_core::answer(const probe_answer& answer, sparrow_outbox& out) {
  parts_.probes.answer(answer, out);
  parts_.accounts.check();
}

task_assignment sparrow_core::hand_out(const get_task_request& request, sparrow_outbox& out) {
  auto answer = parts_.reservations.hand_out(request, out);
  parts_.accounts.check();
  return answer;
}

void sparrow_core::book(const task_news& news, sparrow_outbox& out) {
  for (const auto& s : news.started)
    parts_.runs.start(s);
  for (const auto& e : news.ended)
    parts_.runs.end(e, out);
  parts_.accounts.check();
}

void sparrow_core::remove(machine_id machine, instant now, sparrow_outbox& out) {
  parts_.changes.remove(machine, now, out);
  parts_.accounts.check();
}

void sparrow_core::set_capacity(const capacity_notice& what, sparrow_outbox& out) {
  parts_.changes.set_capacity(what, out);
  parts_.accounts.check();
}

void sparrow_core::reopen(sparrow_outbox& out) {
  parts_.changes.reopen(out);
  parts_.accounts.check();
}

void sparrow_core::watch_failures(std::uint32_t retries, instant begin) {
  parts_.accounts.begin(begin);
  parts_.affected.watch(retries, parts_.machines.machines());
  parts_.probed.pools().remove_all();
}

void sparrow_core::restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice) {
  parts_.changes.restore(machine, out, notice);
  parts_.accounts.check();
}

void sparrow_core::note_capacity(machine_id machine, const capacity_notice* notice,
                                 sparrow_outbox& out) {
  parts_.changes.note_capacity(machine, notice, out);
}

void sparrow_core::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  parts_.reservations.move(what, from, out);
  parts_.accounts.check();
}

void sparrow_core::resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
  parts_.earlier.resume(left, runs_on);
  parts_.accounts.check();
}

void sparrow_core::retire(machine_id machine, sparrow_outbox& out) {
  parts_.changes.retire(machine, out);
  parts_.accounts.check();
}

void sparrow_core::look_again(sparrow_outbox& out) {
  parts_.changes.look_again(out);
  parts_.accounts.check();
}

void sparrow_core::abandon(job_id id, instant now, sparrow_outbox& out) {
  if (auto* j = parts_.jobs.find(id))
    parts_.closer.abandon(*j, now, out);
  parts_.accounts.check();
}

void sparrow_core::abandon_put_back(instant now, sparrow_outbox& out) {
  for (const auto id : parts_.jobs.take_put_back())
    abandon(id, now, out);
}

std::vector<group_sample> sparrow_core::take_samples(instant now, std::span<const kept_job> left) {
  return parts_.accounts.take(parts_.jobs, now, left);
}

} // namespace troupe
