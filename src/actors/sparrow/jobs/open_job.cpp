#include "actors/sparrow/jobs/open_job.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

void open_job::begin(job taken, machine_pools& pools) {
  what = std::move(taken);
  unfinished = what.task_count();
  tasks.resize(unfinished);
  std::uint32_t first = 0;
  for (const auto& g : what.groups) {
    group_state state{pools.pool_of(g.constraints, g.demand), first, 0, g.count};
    state.unfinished = g.count;
    state.blockers = static_cast<std::uint32_t>(g.after.size());
    state.released = what.submitted;
    groups.push_back(std::move(state));
    first += g.count;
  }
}

void open_job::close_before(const std::vector<std::uint32_t>& over) {
  unfinished -= static_cast<std::uint32_t>(over.size());
  for (const auto task : over) {
    auto& left = groups[group_of(task)].unfinished;
    left = planted(planted_fault::early_release) ? 0 : left - 1;
    tasks[task].state = task_state::over;
  }
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    groups[g].blockers = static_cast<std::uint32_t>(std::ranges::count_if(
      what.groups[g].after, [&](std::uint32_t parent) { return groups[parent].unfinished > 0; }));
}

std::vector<std::uint32_t> open_job::close(std::uint32_t task, instant at) {
  tasks[task].state = task_state::over;
  --unfinished;
  const auto ended = group_of(task);
  std::vector<std::uint32_t> released;
  if (--groups[ended].unfinished > 0)
    return released;
  for (auto g = ended + 1; g < groups.size(); ++g)
    for (const auto parent : what.groups[g].after)
      if (parent == ended && groups[g].blocked() && --groups[g].blockers == 0) {
        groups[g].released = at;
        released.push_back(g);
      }
  return released;
}

std::uint32_t open_job::count_waiting_again() {
  std::uint32_t waiting = 0;
  for (auto& g : groups) {
    const auto count = g.waiting;
    g.fresh = count;
    g.waiting = 0;
    for (auto task = g.first + count; task-- > g.first;)
      if (tasks[task].state == task_state::waiting) {
        g.again.push_back(task);
        ++g.waiting;
      }
    waiting += g.waiting;
  }
  return waiting;
}

std::uint32_t open_job::take_task(std::uint32_t group) {
  auto& from = groups[group];
  --from.waiting;
  if (from.again.empty())
    return from.first + from.fresh++;
  const auto task = from.again.back();
  from.again.pop_back();
  return task;
}

void open_job::put_back(std::uint32_t task) {
  auto& to = groups[group_of(task)];
  tasks[task].state = task_state::waiting;
  to.again.push_back(task);
  ++to.waiting;
}

bool open_job::use_reservation(machine_id machine, std::uint32_t group) {
  // A large job has hundreds: whole blocks without the machine are passed over.
  constexpr std::ptrdiff_t block = 8;
  auto from = reservations.begin();
  for (; reservations.end() - from >= block; from += block) {
    bool is_there = false;
    for (auto r = from; r < from + block; ++r)
      is_there |= r->machine == machine && r->group == group;
    if (is_there)
      break;
  }
  const auto used = std::find_if(from, reservations.end(), [&](const reservation& r) {
    return r.machine == machine && r.group == group;
  });
  if (used == reservations.end())
    return false;
  *used = reservations.back();
  reservations.pop_back();
  --groups[group].reserved;
  return true;
}

void open_job::forget_reservations(machine_id machine) {
  std::erase_if(reservations, [&](const reservation& r) {
    if (r.machine != machine)
      return false;
    --groups[r.group].reserved;
    return true;
  });
}

void open_job::forget_reservations(machine_id machine, std::uint32_t group) {
  groups[group].reserved -= static_cast<std::uint32_t>(std::erase_if(
    reservations, [&](const reservation& r) { return r.machine == machine && r.group == group; }));
}

void open_job::forget_reservations() {
  for (auto& g : groups)
    g.reserved = 0;
  reservations.clear();
}

std::uint32_t open_job::ready() const {
  std::uint32_t n = 0;
  for (const auto& g : groups)
    n += g.ready();
  return n;
}

std::uint32_t open_job::blocked() const {
  std::uint32_t n = 0;
  for (const auto& g : groups)
    n += g.waiting - g.ready();
  return n;
}

std::uint32_t open_job::group_of(std::uint32_t task) const {
  auto g = static_cast<std::uint32_t>(groups.size() - 1);
  while (groups[g].first > task)
    --g;
  return g;
}

std::size_t open_job::tasks_on(machine_id machine) const {
  return static_cast<std::size_t>(
    std::ranges::count_if(tasks, [&](const task_note& t) { return t.is_on(machine); }));
}

} // namespace troupe
