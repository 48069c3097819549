#include "model/partition_state.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

void add(std::array<std::int64_t, resource_kinds>& total, const resources& r, std::int64_t sign) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    total[k] += sign * r.amount[k];
}

} // namespace

partition_state::partition_state(const catalog& machines, partition_id partition,
                                 conflict_detection detection)
  : machines_(&machines),
    partition_(partition),
    detection_(detection),
    table_(machines, partition),
    states_(table_.size()),
    present_count_(table_.size()) {
  for (auto m : machines.members(partition))
    add(capacity_, machines.machine(m).capacity, 1);
}

std::uint32_t partition_state::index_of(machine_id machine) const {
  const auto place =
    machine < machines_->machines() ? machines_->place_of(machine) : machine_place{none, 0};
  if (place.partition != partition_)
    throw std::invalid_argument("machine " + std::to_string(machine) + " is not of partition " +
                                std::to_string(partition_));
  return place.index;
}

rejection partition_state::refuse(std::uint32_t index, conflict_cause cause,
                                  scheduler_id scheduler) const {
  const auto& state = states_[index];
  const bool own = state.winner == scheduler && state.runner_up != no_scheduler;
  return {0, cause, own ? state.runner_up : state.winner, state.version, table_.at(index)};
}

std::optional<rejection> partition_state::commit(const placement& wanted, scheduler_id scheduler) {
  const auto i = index_of(wanted.machine);
  auto& state = states_[i];
  if (!state.present)
    return refuse(i, conflict_cause::gone, scheduler);
  if (detection_ == conflict_detection::coarse && wanted.seen_version != state.version)
    return refuse(i, conflict_cause::changed, scheduler);
  if (!table_.fits(i, wanted.demand))
    return refuse(i, conflict_cause::taken, scheduler);
  table_.take(i, wanted.demand);
  add(used_, wanted.demand, 1);
  latest_grant_ = note(i, {wanted.task, scheduler, wanted.demand});
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

running_task partition_state::erase(grant_number grant) {
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
  table_.give(i, what.demand);
  add(used_, what.demand, -1);
  return what;
}

std::vector<running_task> partition_state::remove(machine_id machine) {
  const auto i = index_of(machine);
  std::vector<running_task> lost;
  if (!states_[i].present)
    return lost;
  for (grant_number g = 0; g < entries_.size(); ++g)
    if (entries_[g].machine == i) {
      lost.push_back(erase(g));
      add(used_, lost.back().demand, -1);
    }
  states_[i].present = false;
  ++states_[i].version;
  table_.set(i, {});
  add(capacity_, machines_->machine(machine).capacity, -1);
  --present_count_;
  return lost;
}

void partition_state::restore(machine_id machine) {
  const auto i = index_of(machine);
  if (states_[i].present)
    return;
  states_[i].present = true;
  ++states_[i].version;
  table_.set(i, machines_->machine(machine).capacity);
  add(capacity_, machines_->machine(machine).capacity, 1);
  ++present_count_;
}

void partition_state::prefetch(machine_id machine, grant_number grant) const {
  const auto i = machines_->place_of(machine).index;
  __builtin_prefetch(&states_[i], 1);
  __builtin_prefetch(&table_.cells()[i], 1);
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
  double most = 0;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (capacity_[k] > 0)
      most = std::max(most, static_cast<double>(used_[k]) / static_cast<double>(capacity_[k]));
  return most;
}

partition_snapshot partition_state::snapshot(instant now) const {
  partition_snapshot s{partition_, now, table_.cells(), {}};
  if (detection_ == conflict_detection::coarse) {
    s.versions.reserve(states_.size());
    for (const auto& m : states_)
      s.versions.push_back(m.version);
  }
  return s;
}

std::uint32_t partition_state::inconsistent() const {
  std::vector<resources> totals;
  for (std::uint32_t i = 0; i < states_.size(); ++i)
    totals.push_back(table_.at(i));
  for (const auto& e : entries_)
    if (e.machine != none)
      totals[e.machine] += e.what.demand;
  std::uint32_t wrong = 0;
  const auto members = machines_->members(partition_);
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const auto capacity =
      states_[i].present ? machines_->machine(members[i]).capacity : resources{};
    wrong += table_.at(i).any_negative() || totals[i] != capacity;
  }
  return wrong;
}

} // namespace troupe
