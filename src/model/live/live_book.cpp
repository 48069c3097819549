#include "model/live/live_book.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace troupe {

namespace {

/// From how many missed samples on a member's silence is an event: one may be late.
constexpr std::uint32_t long_silence = 2;

std::string numbered_member(const char* role, std::size_t number) {
  return std::string{role} + '.' + std::to_string(number);
}

void note_answer(live_state& state, live_member& life, instant at, const char* role,
                 std::size_t number, incarnation_id incarnation) {
  if (life.incarnation != 0 && incarnation > life.incarnation) {
    ++life.takeovers;
    state.note(at, "takeover", numbered_member(role, number),
               "incarnation " + std::to_string(incarnation));
  } else if (life.missed >= long_silence) {
    state.note(at, "back", numbered_member(role, number), "answers again");
  }
  life = {member_state::up, incarnation, life.takeovers, 0};
}

void note_silence(live_state& state, live_member& life, instant at, const char* role,
                  std::size_t number) {
  if (life.state == member_state::waiting)
    return;
  life.state = member_state::silent;
  if (++life.missed == long_silence)
    state.note(at, "silent", numbered_member(role, number), "does not answer");
}

/// Calls `hear(member, answer, number)` for members that have answered; notes the others' silence.
template <class Members, class Answers, class Hear>
void go_through(live_state& state, Members& members, const Answers& answers, instant at,
                const char* role, Hear hear) {
  std::vector<bool> heard(members.size());
  for (const auto& a : answers) {
    if (a.number >= members.size())
      continue;
    heard[a.number] = true;
    note_answer(state, members[a.number].life, at, role, a.number, a.incarnation);
    hear(members[a.number], a);
  }
  for (std::size_t m = 0; m < members.size(); ++m)
    if (!heard[m])
      note_silence(state, members[m].life, at, role, m);
}

void hear_scheduler(live_scheduler& s, const scheduler_answer& answer, double seconds) {
  const auto& now = answer.sample;
  s.queued = now.tasks.queued;
  s.in_commit = now.tasks.in_commit;
  s.running = now.tasks.running;
  s.oldest = now.waiting.max();
  s.busy = seconds > 0 ? to_seconds(now.busy) / seconds : 0;
  s.placed = now.tasks.placed;
  s.transactions = now.attempts.transactions;
  s.commits = now.commits;
  s.conflicts = now.conflicts_by_cause;
  s.delay = delay_figures::of(now.delay);
  s.age_mean = now.age.mean();
  s.age_max = to_seconds(now.oldest_partition);
  s.sums.add(now);
  s.ages_ms = answer.details.ages_ms;
}

/// Changes of many schedulers at once are one event for each group.
class policy_news {
public:
  void take(live_state& state, const scheduler_answer& answer) {
    auto& s = state.schedulers[answer.number];
    const auto& policy = answer.details.policy;
    if (policy.empty() || policy == s.policy)
      return;
    const auto& group_of = state.about.group_of;
    const auto group = answer.number < group_of.size() ? group_of[answer.number] : 0;
    changes_[{group, s.policy, policy}].push_back(answer.number);
    s.policy = policy;
  }

  void note(live_state& state, instant at) const {
    for (const auto& [what, schedulers] : changes_) {
      const auto& [group, from, to] = what;
      const auto n = schedulers.size();
      auto detail = from + " to " + to;
      if (n > 1)
        detail +=
          ", with " + std::to_string(n - 1) + (n > 2 ? " more schedulers" : " more scheduler");
      state.note(at, "policy", numbered_member("scheduler", schedulers.front()), detail);
    }
  }

private:
  std::map<std::tuple<std::uint32_t, std::string, std::string>, std::vector<scheduler_id>> changes_;
};

void hear_owner(live_state& state, live_owner& o, const owner_answer& answer) {
  o.machines = answer.sample.machines;
  o.running = answer.sample.running;
  o.resources = answer.sample.resources;
  o.granted = answer.sample.accepted;
  o.refused = answer.sample.rejected;
  o.granted_sum += answer.sample.accepted;
  o.refused_all += answer.sample.rejected;
  for (const auto& part : answer.partitions) {
    if (part.partition >= state.partitions.size())
      continue;
    auto& p = state.partitions[part.partition];
    p.owner = live_owner_number::of(answer.number);
    p.known = true;
    p.last = part;
    p.granted_sum += part.granted;
    for (std::size_t c = 0; c < conflict_causes; ++c) {
      p.refused_sum[c] += part.refused[c];
      o.refused_sum[c] += part.refused[c];
    }
  }
}

/// The ages of each partition over the views that have it.
void note_ages(live_state& state) {
  std::vector<std::uint32_t> views(state.partitions.size());
  for (auto& p : state.partitions)
    p.age_mean = p.age_max = 0;
  for (const auto& s : state.schedulers) {
    if (s.life.state != member_state::up)
      continue;
    for (std::size_t p = 0; p < std::min(s.ages_ms.size(), state.partitions.size()); ++p) {
      auto& part = state.partitions[p];
      const double age = s.ages_ms[p] / 1e3;
      part.age_max = std::max(part.age_max, age);
      part.age_mean += (age - part.age_mean) / ++views[p];
    }
  }
}

value_band band_of(std::vector<double> values) {
  if (values.empty())
    return {};
  std::ranges::sort(values);
  const auto n = values.size();
  return {values.front(), (values[(n - 1) / 2] + values[n / 2]) / 2, values.back()};
}

/// The shares in use of the resources that the cluster has.
void note_resources(live_row& row, const resource_uses& resources) {
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    row.used[k] = resources[k].utilization();
    row.stranded[k] = resources[k].fragmentation();
  }
}

void add_group(live_row& row, const scheduler_sample& s) {
  row.tasks += s.tasks;
  row.jobs_submitted += s.jobs_submitted;
  row.jobs_over += s.jobs_finished + s.jobs_failed + s.attempts.jobs_abandoned;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    row.conflicts[c] += s.conflicts_by_cause[c];
  row.preempted += s.preempted.tasks;
  row.commits += s.commits;
  row.snapshots += s.snapshots;
  row.delays.merge(s.delay);
  row.quality.merge(s.quality);
  row.groups.push_back(
    {s.tasks.queued, s.tasks.submitted, s.tasks.placed, s.conflicts, delay_figures::of(s.delay)});
}

void add_schedulers(live_row& row, const live_state& state) {
  std::vector<double> busy;
  std::vector<double> queue;
  const bool keep = state.schedulers.size() <= most_live_schedulers;
  for (const auto& s : state.schedulers) {
    if (keep)
      row.schedulers.emplace_back();
    if (s.life.state != member_state::up)
      continue;
    busy.push_back(s.busy);
    queue.push_back(static_cast<double>(s.queued));
    if (!keep)
      continue;
    std::uint64_t conflicts = 0;
    for (auto n : s.conflicts)
      conflicts += n;
    row.schedulers.back() = {static_cast<double>(s.queued),
                             s.busy,
                             s.delay.mean,
                             s.delay.p99,
                             s.age_mean,
                             static_cast<std::uint32_t>(s.placed),
                             static_cast<std::uint32_t>(conflicts)};
  }
  row.busy = band_of(std::move(busy));
  row.queue = band_of(std::move(queue));
}

void add_partitions(live_row& row, const live_state& state) {
  if (state.partitions.size() > most_live_partitions)
    return;
  for (const auto& p : state.partitions) {
    std::uint64_t refused = 0;
    for (auto n : p.last.refused)
      refused += n;
    row.partitions.push_back(
      {p.known ? static_cast<std::uint8_t>(std::min(p.use(), 1.0) * 100 + 0.5) : unknown_use,
       static_cast<std::uint16_t>(std::min<std::uint64_t>(refused, 65535))});
  }
}

live_row row_of(const live_state& state, const live_sample& sample) {
  live_row row;
  row.number = state.samples;
  row.from = sample.from;
  row.to = sample.to;
  view_age age;
  for (const auto& s : sample.groups) {
    add_group(row, s);
    age.merge(s.age);
  }
  if (age.seconds > 0)
    row.age = {age.min, age.mean(), age.max};
  row.delay = delay_figures::of(row.delays);
  row.utilization = sample.utilization;
  note_resources(row, sample.resources);
  add_schedulers(row, state);
  add_partitions(row, state);
  return row;
}

void note_phases(live_state& state, instant now) {
  const auto& phases = state.about.phases;
  for (auto& n = state.phases_begun; n < phases.size() && phases[n].from <= now; ++n)
    state.note(phases[n].from, "phase", "", "phase " + std::to_string(n + 1) + " begins");
}

void add_groups(live_state& state, const live_sample& sample) {
  state.groups.resize(std::max(state.groups.size(), sample.groups.size()));
  for (std::size_t g = 0; g < sample.groups.size(); ++g) {
    auto& sum = state.groups[g];
    auto now = sample.groups[g]; // with the ages and places of now
    now.merge_growing(sum);
    sum = std::move(now);
  }
}

/// Adds the counts of a sample over no time, as at the end of a run. It says nothing of rates and
/// loads, so those of the interval before stay.
void add_rest(live_state& state, const live_sample& sample) {
  add_groups(state, sample);
  for (const auto& answer : sample.schedulers)
    if (answer.number < state.schedulers.size())
      state.schedulers[answer.number].sums.add(answer.sample);
  state.offers.merge(sample.offers);
}

} // namespace

live_state live_state_of(live_about about) {
  live_state state;
  state.schedulers.resize(about.policies.size());
  for (std::size_t s = 0; s < about.policies.size(); ++s)
    state.schedulers[s].policy = about.policies[s];
  state.owners.resize(about.owners);
  state.partitions.resize(about.owner_of.size());
  for (std::size_t p = 0; p < about.owner_of.size(); ++p)
    state.partitions[p].owner = live_owner_number::of(about.owner_of[p]);
  state.groups.resize(about.groups.size());
  state.about = std::move(about);
  return state;
}

void add_sample(live_state& state, const live_sample& sample) {
  if (sample.to == sample.from) {
    add_rest(state, sample);
    return;
  }
  const auto at = sample.to;
  const auto seconds = to_seconds(sample.to - sample.from);
  note_phases(state, at);
  policy_news policies;
  go_through(state, state.schedulers, sample.schedulers, at, "scheduler",
             [&](live_scheduler& s, const scheduler_answer& a) {
               policies.take(state, a);
               hear_scheduler(s, a, seconds);
             });
  policies.note(state, at);
  for (auto& p : state.partitions) {
    p.last.granted = 0; // what a silent owner has told is over
    p.last.refused = {};
    p.known = p.known && sample.detailed;
  }
  go_through(state, state.owners, sample.owners, at, "owner",
             [&](live_owner& o, const owner_answer& a) { hear_owner(state, o, a); });
  note_ages(state);
  add_groups(state, sample);
  state.utilization = sample.utilization;
  state.resources = sample.resources;
  state.machines = sample.nodes;
  state.offers.merge(sample.offers);
  state.detailed = sample.detailed;
  state.now = at;
  ++state.samples;
  state.series.add(row_of(state, sample));
}

} // namespace troupe
