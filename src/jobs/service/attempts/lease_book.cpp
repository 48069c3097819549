#include "jobs/service/attempts/lease_book.hpp"

namespace troupe {

instant lease_book::end_of(duration lease, instant now) {
  return lease.count() == 0 ? instant::max() : now + lease;
}

void lease_book::open(open_attempt attempt, instant now) {
  const job_task task{attempt.which.job, attempt.which.task};
  attempt.deadline = end_of(attempt.lease, now);
  if (attempt.lease.count() > 0)
    looks_.emplace(attempt.deadline, task);
  by_machine_[attempt.machine()].insert(task);
  open_.insert_or_assign(task, std::move(attempt));
}

open_attempt* lease_book::find(const job_task& task) {
  const auto it = open_.find(task);
  return it == open_.end() ? nullptr : &it->second;
}

void lease_book::close(const job_task& task) {
  const auto it = open_.find(task);
  if (it == open_.end())
    return;
  const auto machine = by_machine_.find(it->second.machine());
  machine->second.erase(task);
  if (machine->second.empty())
    by_machine_.erase(machine);
  open_.erase(it);
}

std::vector<attempt_key> lease_book::expired(instant now) {
  std::vector<attempt_key> out;
  while (!looks_.empty() && looks_.top().first <= now) {
    const auto task = looks_.top().second;
    looks_.pop();
    const auto* attempt = find(task);
    if (attempt == nullptr || attempt->lease.count() == 0)
      continue;
    if (attempt->deadline <= now)
      out.push_back(attempt->which);
    else
      looks_.emplace(attempt->deadline, task);
  }
  return out;
}

std::optional<instant> lease_book::next_expiry() const {
  if (looks_.empty())
    return std::nullopt;
  return looks_.top().first;
}

const std::set<job_task>& lease_book::on(const std::string& machine) const {
  static const std::set<job_task> none;
  const auto it = by_machine_.find(machine);
  return it == by_machine_.end() ? none : it->second;
}

bool lease_book::hear(const std::string& machine, std::uint64_t boot, instant now) {
  const auto [it, is_new] = latest_.try_emplace(machine, latest_process{boot, now, false});
  auto& latest = it->second;
  if (boot > latest.boot)
    latest = {boot, now, false};
  if (boot < latest.boot || latest.settled || now - latest.heard < settling)
    return false;
  return latest.settled = true;
}

} // namespace troupe
