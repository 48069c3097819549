#include "support/core_cluster.hpp"

// Part of core_cluster: events and invariants.
namespace troupe::testing {

void core_cluster::step() {
  now += std::chrono::milliseconds{10};
  const auto event = random_.below(100);
  if (event < 10)
    submit();
  else if (event < 35)
    decide(any(options_.schedulers));
  else if (event < 75)
    for (auto n = 1 + any(6); n > 0; --n)
      deliver();
  else if (event < 90)
    end_one();
  else if (event < 93)
    sync();
  else if (event < 97)
    report(any(options_.owners));
  else if (event < 99)
    send_again();
  else if (options_.loses_machines)
    lose_or_restore();
  check();
}

void core_cluster::drain() {
  options_.loss = options_.duplication = 0;
  for (machine_id m = 0; m < machines_->machines(); ++m)
    owners[owner_of(m)].restore(m, now);
  for (int i = 0; i < 2'000 && !at_rest(); ++i) {
    now += std::chrono::seconds{3};
    for (scheduler_id s = 0; s < options_.schedulers; ++s)
      decide(s);
    while (!runs_.empty() || !evicted_.empty())
      end_one();
    for (owner_id o = 0; o < options_.owners; ++o)
      report(o);
    send_again();
    sync();
    while (!bag_.empty())
      deliver();
    check();
  }
  CHECK(at_rest());
  for (const auto& o : owners)
    CHECK_FALSE(o.has_unseen());
  if (allocator)
    take_all_back();
}

std::pair<scheduler_sample, owner_sample> core_cluster::take_sample() {
  std::pair<scheduler_sample, owner_sample> sum;
  for (auto& s : schedulers)
    sum.first.merge(sample_of(s, now));
  for (auto& o : owners)
    sum.second.merge(o.take_sample(now));
  return sum;
}

scheduler_limits core_cluster::limits_of(scheduler_id s) const {
  auto limits = options_.limits;
  limits.coarse_detection = options_.detection == conflict_detection::coarse;
  if (options_.offers) {
    limits.source = view_source::offers;
    limits.suppress_offers = options_.seed % 2 == 0;
  }
  if (options_.exclusive) {
    limits.source = view_source::own_tasks;
    limits.share = own_share::dealt(sharing::hard, s, options_.schedulers, machines_->partitions());
  }
  return limits;
}

owner_id core_cluster::owner_of(machine_id m) const {
  return machines_->place_of(m).partition % options_.owners;
}

bool core_cluster::at_rest() const {
  for (const auto& s : schedulers)
    if (!s.idle())
      return false;
  for (const auto& o : owners)
    if (o.has_unseen() || o.has_news() || (o.outbox() && o.outbox()->has_unseen()))
      return false;
  return runs_.empty() && evicted_.empty() && bag_.empty();
}

void core_cluster::submit() {
  auto j = slot_job(next_job_++, 1 + any(options_.most_tasks), now);
  if (any(3) == 0)
    j.groups.push_back({1 + any(2), resources::of_slots(2), {std::chrono::seconds{1}}});
  if (options_.gangs > 0 && random_.unit() < options_.gangs) {
    j.gang = true;
    gangs[j.id] = j.task_count();
  }
  if (options_.limits.preemption)
    j.priority = static_cast<std::int32_t>(any(4));
  if (!options_.tenants.empty())
    j.tenant = any(options_.tenants.size());
  if (options_.picky)
    ask_for_more(j);
  submitted += j.task_count();
  std::vector<job> jobs;
  jobs.push_back(std::move(j));
  schedulers[any(options_.schedulers)].submit(std::move(jobs));
}

void core_cluster::ask_for_more(job& j) {
  if (any(2) == 0)
    for (auto& g : j.groups)
      g.constraints.push_back(parse_constraint(any(2) == 0 ? "disk == ssd" : "disk != ssd"));
  j.spread = any(2) == 0;
  picky_.emplace(j.id, j);
}

void core_cluster::check_places() {
  std::set<std::pair<job_id, machine_id>> taken;
  for (const auto& [task, p] : runs_) {
    const auto& j = picky_.at(task.job);
    if (j.spread)
      REQUIRE(taken.emplace(task.job, p.machine).second);
    const auto& group = j.groups[task.index < j.groups[0].count ? 0 : 1];
    for (const auto& c : group.constraints)
      REQUIRE(meets(machines_->kind_of(p.machine).attributes, c));
  }
}

void core_cluster::decide(scheduler_id s) {
  if (!deciding_[s]) {
    deciding_[s] = schedulers[s].decide(now).has_value();
    if (!deciding_[s])
      answer(s, schedulers[s].answer_offers());
    return;
  }
  deciding_[s] = false;
  for (auto& [to, request] : schedulers[s].commit(now))
    send({true, s, to, std::move(request)});
}

void core_cluster::end_one() {
  if (!evicted_.empty() && any(4) == 0) {
    const auto i = any(evicted_.size());
    owners[owner_of(evicted_[i].machine)].end({&evicted_[i], 1}, now);
    evicted_.erase(evicted_.begin() + i);
  }
  if (runs_.empty())
    return;
  const auto it = std::next(runs_.begin(), static_cast<std::ptrdiff_t>(any(runs_.size())));
  const auto& p = it->second;
  const task_end end{p.task, p.machine, task_outcome::finished, now, p.grant};
  owners[owner_of(p.machine)].end({&end, 1}, now);
  finished.insert(p.task);
  runs_.erase(it);
}

void core_cluster::lose_or_restore() {
  const auto m = any(machines_->machines());
  auto& owner = owners[owner_of(m)];
  if (any(2) == 0) {
    owner.restore(m, now);
    return;
  }
  owner.remove(m, now);
  std::erase_if(runs_, [m](const auto& run) { return run.second.machine == m; });
}

void core_cluster::check() {
  std::uint64_t taken_in = 0;
  bool balanced = true;
  for (const auto& s : schedulers) {
    const auto& c = s.counts();
    balanced &= c.balanced();
    for (auto n : {c.queued, c.in_commit, c.running, c.finished, c.abandoned})
      balanced &= n <= c.submitted;
    taken_in += c.submitted;
  }
  std::uint32_t inconsistent = 0;
  for (const auto& o : owners)
    inconsistent += o.inconsistent();
  if (!options_.tenants.empty())
    check_shares();
  if (options_.picky)
    check_places();
  REQUIRE(balanced);
  REQUIRE(taken_in == submitted);
  REQUIRE(inconsistent == 0);
}

void core_cluster::check_shares() {
  std::vector<resource_sum> used(options_.tenants.size());
  std::vector<resource_sum> told(options_.tenants.size());
  for (const auto& [_, p] : runs_)
    used[p.tenant] += p.demand;
  for (const auto& o : owners)
    for (std::size_t t = 0; t < told.size(); ++t)
      told[t] += o.used_by_tenant()[t];
  REQUIRE(told == used);
  for (std::size_t t = 0; t < used.size(); ++t)
    if (options_.tenants[t].max < 1)
      greatest_share =
        std::max(greatest_share, dominant_share(used[t], total_capacity(*machines_)));
}

ranking_options core_cluster::ranking() const {
  return {options_.limits.preemption, static_cast<std::uint32_t>(options_.tenants.size())};
}

} // namespace troupe::testing
