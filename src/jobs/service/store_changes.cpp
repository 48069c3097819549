#include "jobs/service/store_changes.hpp"

#include "process/base/planted_command_fault.hpp"

#include <algorithm>

namespace troupe {

namespace {

attempt_row row_of(const open_attempt& a) {
  attempt_row row;
  row.which = a.which;
  row.node = a.node;
  row.boot = a.boot;
  row.machine_state = a.machine_state;
  row.granted_ms = a.granted_ms;
  row.end.which = a.which;
  return row;
}

} // namespace

void store_changes::add(const live_job& j, const std::string& key) {
  rest_.next_job = j.row.id + 1;
  rest_.jobs.push_back(j.row);
  rest_.jobs.back().spec = to_json(j.spec);
  if (!key.empty())
    rest_.submissions.push_back({j.spec.tenant, key, j.row.id});
  for (const auto& g : j.groups)
    note(j, g);
}

void store_changes::note(const live_job& j, const live_group& g) {
  note(j);
  groups_.emplace(j.row.id, g.number);
}

void store_changes::write(const live_job& j, const live_group& g, std::uint32_t in_group,
                          const std::string& reason) {
  const auto& t = g.tasks[in_group];
  const job_task which{j.row.id, g.first + in_group};
  tasks_[which] = {j.row.id,   which.task, g.number, t.state,
                   t.attempts, t.retries,  t.losses, reason};
}

void store_changes::write(const open_attempt& a) {
  attempts_[a.which] = row_of(a);
}

void store_changes::write(const open_attempt& a, const attempt_end& end, bool lost) {
  auto row = row_of(a);
  row.open = false;
  row.lost = lost;
  row.end = end;
  attempts_[a.which] = std::move(row);
}

store_batch store_changes::take(const live_job_table& jobs) {
  for (const auto id : std::exchange(jobs_, {})) {
    const auto* const j = jobs.find(id);
    if (j == nullptr)
      continue;
    const auto is_new = std::ranges::find(rest_.jobs, id, &job_row::id);
    if (is_new != rest_.jobs.end()) {
      auto spec = std::move(is_new->spec);
      *is_new = j->row;
      is_new->spec = std::move(spec);
    } else {
      rest_.jobs.push_back(j->row);
    }
  }
  for (const auto& [id, number] : std::exchange(groups_, {}))
    if (const auto* const j = jobs.find(id)) {
      const auto& g = j->groups[number];
      rest_.groups.push_back({id, g.number, g.first, g.count, g.rest, g.rest_reason, g.counts});
    }
  for (auto& [_, row] : std::exchange(tasks_, {}))
    rest_.tasks.push_back(std::move(row));
  for (auto& [_, row] : std::exchange(attempts_, {}))
    if (!planted(command_fault::unstored_attempt))
      rest_.attempts.push_back(std::move(row));
  return std::exchange(rest_, {});
}

} // namespace troupe
