#include "report/metrics/metric_values.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace troupe::metric_values {

namespace {

constexpr auto without_bound = std::numeric_limits<double>::infinity();

double number(std::uint64_t n) {
  return static_cast<double>(n);
}

/// The number of values of a distribution up to each bound: a bin of it, 1 to 2 % wide, counts
/// where its middle is.
metric_value histogram_of(std::vector<std::string> labels, const distribution& d,
                          std::span<const double> bounds) {
  metric_value h{std::move(labels), 0};
  const auto bins = d.bins();
  auto bin = bins.begin();
  std::uint64_t so_far = 0;
  for (auto bound : bounds) {
    for (; bin != bins.end(); ++bin) {
      const auto [index, n] = *bin;
      if ((distribution::lower_edge(index) + distribution::lower_edge(index + 1)) / 2 > bound)
        break;
      so_far += n;
    }
    h.buckets.push_back({bound, so_far});
  }
  h.buckets.push_back({without_bound, d.count()});
  h.count = d.count();
  h.sum = d.sum();
  return h;
}

template <class Members>
void count_members(values& into, const char* role, const Members& members) {
  for (const auto state : {member_state::waiting, member_state::up, member_state::silent})
    into.push_back({{role, to_string(state)},
                    number(static_cast<std::uint64_t>(std::ranges::count_if(
                      members, [&](const auto& m) { return m.life.state == state; })))});
}

} // namespace

std::uint64_t sum(const cause_counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::string group_name(const live_state& s, std::size_t group) {
  return group < s.about.groups.size() ? s.about.groups[group].name : std::to_string(group);
}

values delays_by_group(const live_state& s, distribution scheduler_sample::*of) {
  values all;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    all.push_back(histogram_of({group_name(s, g)}, s.groups[g].*of, delay_bounds()));
  return all;
}

values build_info(const live_state& s, const process&) {
  return {{{TROUPE_VERSION, s.about.architecture, s.about.world}, 1}};
}

values nodes(const live_state& s, const process&) {
  values all;
  if (s.about.world != "cluster")
    return all;
  for (const auto state :
       {live_node_state::joined, live_node_state::draining, live_node_state::gone})
    all.push_back(
      {{to_string(state)},
       number(static_cast<std::uint64_t>(std::ranges::count(s.nodes, state, &live_node::state)))});
  return all;
}

values members(const live_state& s, const process&) {
  values all;
  count_members(all, "owner", s.owners);
  count_members(all, "scheduler", s.schedulers);
  return all;
}

values failovers(const live_state& s, const process&) {
  const auto of = [](const auto& members) {
    std::uint64_t n = 0;
    for (const auto& m : members)
      n += m.life.takeovers;
    return number(n);
  };
  return {{{"owner"}, of(s.owners)}, {{"scheduler"}, of(s.schedulers)}};
}

values machines(const live_state& s, const process&) {
  const auto up = s.machines_up();
  return {{{"up"}, number(up)},
          {{"down"}, number(s.about.machines - std::min(s.about.machines, up))}};
}

values by_resource(const live_state& s, double (resource_use::*read)() const) {
  values all;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (s.resources[k].capacity > 0)
      all.push_back(
        {{std::string{resource_name(static_cast<resource>(k))}}, (s.resources[k].*read)()});
  return all;
}

values owner_use(const live_state& s, const process&) {
  values all;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    for (std::size_t o = 0; o < s.owners.size(); ++o)
      if (s.owners[o].resources[k].capacity > 0)
        all.push_back({{std::string{resource_name(static_cast<resource>(k))}, std::to_string(o)},
                       s.owners[o].resources[k].utilization()});
  return all;
}

values tasks(const live_state& s, const process&) {
  task_counts now;
  for (const auto& g : s.groups)
    now.add_present(g.tasks);
  return {{{"queued"}, number(now.queued)},
          {{"in_commit"}, number(now.in_commit)},
          {{"running"}, number(now.running)}};
}

values tasks_ended(const live_state& s, const process&) {
  task_counts t;
  for (const auto& g : s.groups)
    t.add_growing(g.tasks);
  return {{{"finished"}, number(t.finished)},
          {{"failed"}, number(t.failed)},
          {{"lost"}, number(t.lost)},
          {{"abandoned"}, number(t.abandoned)}};
}

values jobs_ended(const live_state& s, const process&) {
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t abandoned = 0;
  for (const auto& g : s.groups) {
    finished += g.jobs_finished;
    failed += g.jobs_failed;
    abandoned += g.attempts.jobs_abandoned;
  }
  return {{{"finished"}, number(finished)},
          {{"failed"}, number(failed)},
          {{"abandoned"}, number(abandoned)}};
}

values oldest(const live_state& s, const process&) {
  if (s.about.origin <= 0)
    return {};
  return by_scheduler(s, [&](const live_scheduler& m) {
    return m.queued > 0 && m.oldest > 0 ? s.about.origin + to_seconds(s.now) - m.oldest : 0;
  });
}

values commit_answers(const live_state& s, const process&) {
  values all;
  for (std::size_t o = 0; o < s.owners.size(); ++o) {
    all.push_back({{std::to_string(o), "granted"}, number(s.owners[o].granted_sum)});
    all.push_back({{std::to_string(o), "refused"}, number(s.owners[o].refused_all)});
  }
  return all;
}

values conflicts(const live_state& s, const process&) {
  cause_counts all{};
  for (const auto& g : s.groups)
    for (std::size_t c = 0; c < conflict_causes; ++c)
      all[c] += g.conflicts_by_cause[c];
  values v;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    v.push_back({{to_string(static_cast<conflict_cause>(c))}, number(all[c])});
  return v;
}

values owner_conflicts(const live_state& s, const process&) {
  values all;
  for (std::size_t o = 0; o < s.owners.size(); ++o)
    for (std::size_t c = 0; c < conflict_causes; ++c)
      all.push_back({{std::to_string(o), to_string(static_cast<conflict_cause>(c))},
                     number(s.owners[o].refused_sum[c])});
  return all;
}

/// The bins of ages are tenths of the gap in which a view is refreshed once.
values placement_ages(const live_state& s, const process&) {
  if (s.about.sync_gap <= duration::zero())
    return {};
  metric_value h;
  std::array<std::uint64_t, age_bins> bins{};
  for (const auto& g : s.groups) {
    for (std::size_t b = 0; b < age_bins; ++b)
      bins[b] += g.attempts.granted_by_age[b];
    h.sum += g.placement_age.sum;
  }
  for (std::size_t b = 0; b < age_bins; ++b) {
    h.count += bins[b];
    h.buckets.push_back({b + 1 == age_bins ? without_bound
                                           : to_seconds(s.about.sync_gap) *
                                               static_cast<double>(b + 1) / (age_bins - 1),
                         h.count});
  }
  return {h};
}

values offers(const live_state& s, const process&) {
  const auto& o = s.offers;
  if (o.made == 0)
    return {};
  return {{{"accepted"}, number(o.accepted)},
          {{"declined"}, number(o.declined)},
          {{"timed_out"}, number(o.timed_out)},
          {{"rescinded"}, number(o.rescinded)}};
}

values steals(const live_state& s, const process&) {
  const auto& q = s.machines.queues;
  if (q.machines == 0)
    return {};
  return {{{"found"}, number(q.steals)},
          {{"nothing"}, number(q.steal_attempts - std::min(q.steals, q.steal_attempts))}};
}

} // namespace troupe::metric_values
