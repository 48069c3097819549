#include "model/owner/partition_state.hpp"

#include "model/base/planted_faults.hpp"
#include "model/base/spare_buffers.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace troupe {

partition_state::partition_state(const catalog& machines, partition_id partition,
                                 conflict_detection detection, const ranking_options& ranking)
  : machines_(&machines),
    partition_(partition),
    first_(*machines.members(partition).begin()),
    detection_(detection),
    table_(machines, partition),
    states_(table_.size()),
    ranking_(ranking),
    ranks_kept_(ranking.preemption || ranking.tenants > 1),
    held_(machines, partition),
    used_by_tenant_(ranking.tenants > 1 ? ranking.tenants : 0),
    present_count_(table_.size()),
    strands_(machines.columns().size() > 1 ||
             machines.fragment()[machines.columns().front()] != 1) {
  for (auto m : machines.members(partition))
    capacity_ += machines.machine(m).capacity;
  for (std::uint32_t i = 0; i < size(); ++i)
    stranded_ += stranded_on(i);
}

resources partition_state::stranded_on(std::uint32_t index) const {
  const auto free = table_.at(index);
  return free.fits(machines_->fragment()) ? resources{} : free;
}

void partition_state::refuse_stranger(machine_id machine) const {
  throw std::invalid_argument("machine " + std::to_string(machine) + " is not of partition " +
                              std::to_string(partition_));
}

rejection partition_state::refuse(std::uint32_t index, conflict_cause cause,
                                  scheduler_id scheduler) const {
  const auto& state = states_[index];
  const bool own = state.winner == scheduler && state.runner_up != no_scheduler;
  return {0, cause, own ? state.runner_up : state.winner, state.version, table_.at(index)};
}

std::optional<rejection> partition_state::commit(const placement& wanted, scheduler_id scheduler,
                                                 instant now) {
  const auto i = index_of(wanted.machine);
  auto& state = states_[i];
  if (!state.present)
    return refuse(i, conflict_cause::gone, scheduler);
  if (detection_ == conflict_detection::coarse && wanted.seen_version != state.version)
    return refuse(i, conflict_cause::changed, scheduler);
  evicted_.clear();
  if (!table_.fits(i, wanted.demand) && !planted(planted_fault::unchecked_capacity) &&
      !(wanted.preempts && ranking_.preemption && !state.closed && make_room(i, wanted, now)))
    return refuse(i,
                  !reduced_.empty() && would_fit_by_catalog(i, wanted) ? conflict_cause::gone
                                                                       : conflict_cause::taken,
                  scheduler);
  change(i, [&] { table_.take(i, wanted.demand); });
  used_ += wanted.demand;
  latest_grant_ = note(i, {wanted.task, scheduler, wanted.demand});
  if (ranks_kept_)
    keep_rank(latest_grant_, wanted, i, now);
  if (state.winner != scheduler)
    state.runner_up = std::exchange(state.winner, scheduler);
  ++state.version;
  ++grants_;
  return std::nullopt;
}

partition_state::claim partition_state::claim_of(machine_id machine) const {
  const auto& state = states_[index_of(machine)];
  return {state.version, state.winner, state.runner_up};
}

void partition_state::undo(const granted_placement& latest, const claim& before) {
  end(latest.machine, latest.task, latest.grant);
  auto& state = states_[index_of(latest.machine)];
  state.version = before.version;
  state.winner = before.winner;
  state.runner_up = before.runner_up;
  --grants_;
}

std::uint32_t partition_state::version(machine_id machine) const {
  return states_[index_of(machine)].version;
}

grant_number partition_state::note(std::uint32_t index, const running_task& what) {
  ++running_;
  if (free_entries_.empty()) {
    entries_.push_back({what, index});
    return static_cast<grant_number>(entries_.size() - 1);
  }
  const auto grant = free_entries_.back();
  free_entries_.pop_back();
  entries_[grant] = {what, index};
  return grant;
}

void partition_state::keep_rank(grant_number grant, const placement& wanted, std::uint32_t index,
                                instant now) {
  ranks_.resize(entries_.size());
  const auto tenant = std::min(wanted.tenant, ranking_.tenants - 1);
  ranks_[grant] = {now, wanted.runtime, wanted.priority, tenant};
  if (ranking_.preemption)
    held_.add(index, wanted.priority, wanted.demand);
  if (!used_by_tenant_.empty())
    used_by_tenant_[tenant] += wanted.demand;
}

void partition_state::rank_again(machine_id machine, grant_number grant, std::int32_t priority) {
  if (!ranking_.preemption)
    return;
  const auto index = index_of(machine);
  const auto& demand = entries_[grant].what.demand;
  held_.remove(index, ranks_[grant].priority, demand);
  held_.add(index, priority, demand);
  ranks_[grant].priority = priority;
}

bool partition_state::make_room(std::uint32_t index, const placement& wanted, instant now) {
  auto room = table_.at(index);
  if (!(room + held_.below(index, wanted.priority)).fits(wanted.demand))
    return false;
  victims_.clear();
  for (grant_number g = 0; g < entries_.size(); ++g)
    if (entries_[g].machine == index && ranks_[g].priority < wanted.priority)
      victims_.push_back(g);
  std::ranges::sort(victims_, [this](grant_number a, grant_number b) {
    const auto& x = ranks_[a];
    const auto& y = ranks_[b];
    return std::tie(x.priority, y.granted, entries_[b].what.task) <
           std::tie(y.priority, x.granted, entries_[a].what.task);
  });
  std::size_t chosen = 0;
  while (!room.fits(wanted.demand))
    room += entries_[victims_[chosen++]].what.demand;
  victims_.resize(chosen);
  for (auto i = chosen; i-- > 0;)
    if (const auto& held = entries_[victims_[i]].what.demand; (room - held).fits(wanted.demand)) {
      room -= held;
      victims_.erase(victims_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  for (auto g : victims_)
    evict(g, wanted.machine, now);
  return true;
}

void partition_state::evict(grant_number grant, machine_id machine, instant now) {
  const auto& what = entries_[grant].what;
  const auto index = entries_[grant].machine;
  const auto ran = std::min<duration>(now - ranks_[grant].granted, ranks_[grant].runtime);
  evicted_.push_back({what.task, what.scheduler, machine, grant, ran});
  change(index, [&] { table_.give(index, what.demand); });
  used_ -= what.demand;
  erase(grant);
  free_entries_.pop_back();
  entries_[grant].machine = has_left;
  leaving_.emplace(grant, evicted_.back());
}

evicted_task partition_state::settle(std::map<grant_number, evicted_task>::iterator at) {
  entries_[at->first].machine = none;
  free_entries_.push_back(at->first);
  const auto task = at->second;
  leaving_.erase(at);
  return task;
}

std::optional<evicted_task> partition_state::settle_evicted(machine_id machine, const task_id& task,
                                                            grant_number grant) {
  const bool known = grant < entries_.size();
  if (leaving_.empty() || (known && entries_[grant].machine != has_left))
    return std::nullopt;
  const auto it =
    grant != no_grant ? leaving_.find(grant) : std::ranges::find_if(leaving_, [&](const auto& e) {
      return e.second.machine == machine && e.second.task == task;
    });
  if (it == leaving_.end() || it->second.task != task)
    return std::nullopt;
  return settle(it);
}

std::vector<evicted_task> partition_state::drop_evicted(machine_id machine) {
  std::vector<evicted_task> dropped;
  for (auto it = leaving_.begin(); it != leaving_.end();) {
    const auto here = it++;
    if (here->second.machine == machine)
      dropped.push_back(settle(here));
  }
  return dropped;
}

running_task partition_state::erase(grant_number grant) {
  if (ranks_kept_) {
    const auto& ranked = ranks_[grant];
    const auto& demand = entries_[grant].what.demand;
    if (ranking_.preemption)
      held_.remove(entries_[grant].machine, ranked.priority, demand);
    if (!used_by_tenant_.empty())
      used_by_tenant_[ranked.tenant] -= demand;
  }
  entries_[grant].machine = none;
  free_entries_.push_back(grant);
  --running_;
  return entries_[grant].what;
}

grant_number partition_state::find(std::uint32_t index, const task_id& task,
                                   grant_number grant) const {
  const auto is_it = [&](const entry& e) { return e.machine == index && e.what.task == task; };
  if (grant < entries_.size() && is_it(entries_[grant]))
    return grant;
  const auto it = std::find_if(entries_.begin(), entries_.end(), is_it);
  return it == entries_.end() ? no_grant : static_cast<grant_number>(it - entries_.begin());
}

std::optional<running_task> partition_state::end(machine_id machine, const task_id& task,
                                                 grant_number grant) {
  const auto i = index_of(machine);
  const auto noted = find(i, task, grant);
  if (noted == no_grant)
    return std::nullopt;
  const auto what = erase(noted);
  change(i, [&] { table_.give(i, what.demand); });
  used_ -= what.demand;
  return what;
}

std::vector<partition_state::placed_task>
partition_state::running_of(scheduler_id scheduler) const {
  const auto members = machines_->members(partition_);
  std::vector<placed_task> found;
  for (const auto& e : entries_)
    if (e.machine < states_.size() && e.what.scheduler == scheduler)
      found.push_back({e.what.task, members[e.machine], e.what.demand});
  return found;
}

std::vector<running_task> partition_state::remove(machine_id machine) {
  const auto i = index_of(machine);
  std::vector<running_task> lost;
  close(machine, false);
  if (!states_[i].present)
    return lost;
  for (grant_number g = 0; g < entries_.size(); ++g)
    if (entries_[g].machine == i) {
      lost.push_back(erase(g));
      used_ -= lost.back().demand;
    }
  capacity_ -= capacity_of(machine);
  reduced_.erase(i);
  states_[i].present = false;
  ++states_[i].version;
  change(i, [&] { table_.set(i, {}); });
  --present_count_;
  return lost;
}

void partition_state::restore(machine_id machine) {
  const auto i = index_of(machine);
  if (states_[i].present)
    return;
  states_[i].present = true;
  ++states_[i].version;
  change(i, [&] { table_.set(i, machines_->machine(machine).capacity); });
  capacity_ += machines_->machine(machine).capacity;
  ++present_count_;
}

void partition_state::prefetch(machine_id machine, grant_number grant) const {
  const auto i = machines_->place_of(machine).index;
  __builtin_prefetch(&states_[i], 1);
  table_.cells().prefetch(i);
  if (grant < entries_.size())
    __builtin_prefetch(&entries_[grant], 1);
}

bool partition_state::is_present(machine_id machine) const {
  return states_[index_of(machine)].present;
}

resources partition_state::free(machine_id machine) const {
  return table_.at(index_of(machine));
}

double partition_state::utilization() const {
  return dominant_share(used_, capacity_);
}

partition_snapshot partition_state::snapshot(instant now) {
  if (!sums_)
    sums_.emplace(*machines_, partition_, table_);
  partition_snapshot s{partition_, now, table_.cells().copy(), {}};
  s.counted = {spare_buffers<std::uint32_t>::copy(sums_->counted().machines),
               spare_buffers<std::uint64_t>::copy(sums_->counted().sums)};
  if (detection_ == conflict_detection::coarse) {
    s.versions.reserve(states_.size());
    for (const auto& m : states_)
      s.versions.push_back(m.version);
  }
  if (ranking_.preemption && closed_ == 0)
    s.held = held_.bands();
  else if (ranking_.preemption)
    s.held = held_where_open().bands();
  return s;
}

std::uint32_t partition_state::inconsistent() const {
  std::vector<resources> totals;
  for (std::uint32_t i = 0; i < states_.size(); ++i)
    totals.push_back(table_.at(i));
  for (const auto& e : entries_)
    if (e.machine < states_.size())
      totals[e.machine] += e.what.demand;
  std::uint32_t wrong = 0;
  const auto members = machines_->members(partition_);
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const auto capacity = capacity_of(members[i]);
    wrong += table_.at(i).any_negative() || totals[i] != capacity;
  }
  return wrong;
}

} // namespace troupe
