#pragma once

#include "actors/allocator_core.hpp"
#include "actors/owner_core.hpp"
#include "actors/scheduler_core.hpp"
#include "policies/registry.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace troupe::testing {

/// What the links of a `core_cluster` do to messages, and how it is built.
struct core_cluster_options {
  std::uint32_t schedulers = 4;
  std::uint32_t owners = 3;
  std::string policy = "random-fit";
  conflict_detection detection = conflict_detection::fine;
  scheduler_limits limits{.batch = 4, .max_attempts = 0, .commit_timeout = std::chrono::seconds{2}};
  double loss = 0;         ///< share of messages that get lost
  double duplication = 0;  ///< share of messages that arrive twice
  bool keeps_order = true; ///< of the messages between two ends
  bool loses_machines = false;
  bool picky = false; ///< jobs have constraints on the attribute "disk", or keep apart, at random
  std::vector<tenant_quota> tenants{}; ///< whose the jobs are, at random
  bool exclusive = false; ///< every scheduler keeps to its own partitions, and nobody is synced
  std::optional<offer_rules> offers{}; ///< by which schedulers are offered what they may use
  double gangs = 0;                    ///< share of the jobs
  duration hold_timeout = std::chrono::seconds{20}; ///< of owners, far beyond the resending
  std::uint32_t most_tasks = 6;                     ///< of the first group of a job
  std::uint64_t seed = 1;
};

/// Schedulers and owners as plain values, with messages in a bag: whatever the protocol promises
/// must hold however a random sequence of events goes. It keeps a record of its own of what runs
/// and what is over, and checks the invariants after every event.
class core_cluster {
public:
  core_cluster(const catalog& machines, core_cluster_options options)
    : options_(std::move(options)),
      machines_(&machines),
      random_(random_stream::derive(options_.seed, "core_cluster", 0)),
      plan_(sync_plan::partitioned(std::chrono::seconds{1}, options_.schedulers)),
      deciding_(options_.schedulers) {
    std::vector<owner_id> owner_of;
    std::vector<std::vector<partition_id>> shares(options_.owners);
    for (partition_id p = 0; p < machines.partitions(); ++p) {
      owner_of.push_back(p % options_.owners);
      shares[p % options_.owners].push_back(p);
    }
    for (owner_id o = 0; o < options_.owners; ++o)
      owners.emplace_back(o, machines, shares[o], options_.schedulers, options_.detection,
                          owner_duties{options_.exclusive, options_.offers.has_value(), ranking(),
                                       options_.limits.retry.wait_for_refresh});
    for (scheduler_id s = 0; s < options_.schedulers; ++s)
      schedulers.emplace_back(s, machines, owner_of, make_policy(options_.policy, {}), limits_of(s),
                              random_stream::derive(options_.seed, "scheduler", s), now, 0,
                              options_.tenants);
    if (options_.offers)
      allocator.emplace(machines, std::vector<double>(options_.schedulers, 1),
                        std::vector<std::uint32_t>(options_.schedulers, 0), *options_.offers);
  }

  std::vector<owner_core> owners;
  std::vector<scheduler_core> schedulers;
  std::optional<allocator_core> allocator;
  std::set<task_id> finished;
  std::map<job_id, std::uint32_t> gangs; ///< how many tasks each has
  std::uint64_t submitted = 0;
  std::uint64_t evictions = 0;
  double greatest_share = 0; ///< that any tenant with a maximum has had
  instant now{0};

  /// One event of any kind, then the invariants.
  void step() {
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

  /// Lets everything that was submitted come to its end, over links without faults.
  void drain() {
    options_.loss = options_.duplication = 0;
    for (machine_id m = 0; m < machines_->machines(); ++m)
      owners[owner_of(m)].restore(m);
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

  /// What all schedulers and all owners counted since the last call.
  std::pair<scheduler_sample, owner_sample> take_sample() {
    std::pair<scheduler_sample, owner_sample> sum;
    for (auto& s : schedulers)
      sum.first.merge(sample_of(s, now));
    for (auto& o : owners)
      sum.second.merge(o.take_sample(now));
    return sum;
  }

private:
  scheduler_limits limits_of(scheduler_id s) const {
    auto limits = options_.limits;
    if (options_.offers)
      limits.source = view_source::offers;
    if (options_.exclusive) {
      limits.source = view_source::own_tasks;
      limits.share =
        own_share::dealt(sharing::hard, s, options_.schedulers, machines_->partitions());
    }
    return limits;
  }

  struct seen_note {
    scheduler_id from = 0;
    std::uint64_t number = 0;
  };

  /// Between whom a message travels, beside schedulers and owners.
  enum class leg : std::uint8_t { none, to_allocator, from_allocator };

  struct message {
    bool to_owner = false;
    std::uint32_t scheduler = 0;
    owner_id owner = 0;
    std::variant<commit_request, commit_reply, sync_update, task_report, seen_note, resource_offer,
                 offer_recall, offer_answer, capacity_report, capacity_seen>
      what;
    leg with = leg::none;

    bool same_link(const message& other) const {
      return with == other.with && to_owner == other.to_owner && scheduler == other.scheduler &&
             owner == other.owner;
    }
  };

  std::uint32_t any(std::size_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

  owner_id owner_of(machine_id m) const {
    return machines_->place_of(m).partition % options_.owners;
  }

  bool at_rest() const {
    for (const auto& s : schedulers)
      if (!s.idle())
        return false;
    for (const auto& o : owners)
      if (o.has_unseen() || o.has_news() || (o.outbox() && o.outbox()->has_unseen()))
        return false;
    return runs_.empty() && evicted_.empty() && bag_.empty();
  }

  void send(message m) {
    if (random_.unit() < options_.loss)
      return;
    if (random_.unit() < options_.duplication)
      bag_.push_back(m);
    bag_.push_back(std::move(m));
  }

  void submit() {
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

  /// Half of the jobs must have machines of one kind, half of them keep their tasks apart.
  void ask_for_more(job& j) {
    if (any(2) == 0)
      for (auto& g : j.groups)
        g.constraints.push_back(parse_constraint(any(2) == 0 ? "disk == ssd" : "disk != ssd"));
    j.spread = any(2) == 0;
    picky_.emplace(j.id, j);
  }

  /// Every task of a picky job runs where it may.
  void check_places() {
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

  /// Starts a decision, or hands out what was decided.
  void decide(scheduler_id s) {
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

  void deliver() {
    if (bag_.empty())
      return;
    auto i = static_cast<std::size_t>(random_.below(bag_.size()));
    if (options_.keeps_order)
      for (std::size_t k = 0; k < i; ++k)
        if (bag_[k].same_link(bag_[i]))
          i = k;
    auto m = std::move(bag_[i]);
    bag_.erase(bag_.begin() + static_cast<std::ptrdiff_t>(i));
    std::visit([&](auto& what) { receive(m, what); }, m.what);
  }

  void receive(const message& m, commit_request& request) {
    std::vector<granted_placement> granted;
    auto reply = owners[m.owner].commit(request, granted, now);
    auto gone = owners[m.owner].evicted().begin();
    for (const auto& p : granted) {
      REQUIRE(owner_of(p.machine) == m.owner);
      for (auto n = p.evicted; n > 0; --n, ++gone)
        evict(*gone, p);
      REQUIRE_FALSE(finished.contains(p.task));
      REQUIRE(runs_.emplace(p.task, p).second);
    }
    REQUIRE(gone == owners[m.owner].evicted().end());
    send({false, m.scheduler, m.owner, std::move(reply)});
  }

  void receive(const message& m, commit_reply& reply) {
    for (auto& [to, request] : schedulers[m.scheduler].answer(reply, now))
      send({true, m.scheduler, to, std::move(request)});
  }

  void receive(const message& m, sync_update& update) {
    schedulers[m.scheduler].refresh(std::move(update), now);
  }

  void receive(const message& m, task_report& report) {
    const auto seen = schedulers[m.scheduler].report(report);
    send({true, m.scheduler, m.owner, seen_note{m.scheduler, seen}});
  }

  void receive(const message& m, seen_note& note) { owners[m.owner].seen(note.from, note.number); }

  void receive(const message& m, resource_offer& offer) {
    schedulers[m.scheduler].offer(offer);
    if (!deciding_[m.scheduler])
      decide(m.scheduler);
  }

  void receive(const message& m, offer_recall& recall) {
    auto& s = schedulers[m.scheduler];
    if (deciding_[m.scheduler] && s.takes_back(recall)) {
      s.withdraw();
      deciding_[m.scheduler] = false;
    }
    answer(m.scheduler, s.recall(recall));
  }

  void receive(const message&, offer_answer& reply) { allocator->answer(reply, now); }

  void receive(const message& m, capacity_report& report) {
    const auto seen = allocator->book(report, now);
    send({true, 0, m.owner, capacity_seen{seen}, leg::from_allocator});
  }

  void receive(const message& m, capacity_seen& seen) {
    owners[m.owner].outbox()->seen(seen.number);
  }

  void answer(scheduler_id s, std::optional<offer_answer> reply) {
    if (reply)
      send({false, s, 0, std::move(*reply), leg::to_allocator});
  }

  /// Lets all open offers be answered: everything must be free then.
  void take_all_back() {
    for (int i = 0; i < 10; ++i) {
      now += std::chrono::seconds{3};
      for (scheduler_id s = 0; s < options_.schedulers; ++s)
        decide(s);
      recall();
      while (!bag_.empty())
        deliver();
    }
    CHECK(allocator->next_recall() == instant::max());
    for (machine_id m = 0; m < machines_->machines(); ++m)
      CHECK(allocator->free(m) == machines_->machine(m).capacity);
  }

  void recall() {
    for (auto& [to, recall] : allocator->recalls(now))
      send({false, to, 0, recall, leg::from_allocator});
  }

  /// Takes a task off its machine, as the owner says. Its end may have been under way already.
  void evict(const evicted_task& gone, const placement& by) {
    const auto it = runs_.find(gone.task);
    REQUIRE(it != runs_.end());
    REQUIRE(it->second.machine == by.machine);
    REQUIRE(it->second.priority < by.priority);
    evicted_.push_back({gone.task, gone.machine, task_outcome::preempted, now, gone.grant});
    runs_.erase(it);
    ++evictions;
  }

  void end_one() {
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

  void sync() {
    if (allocator) {
      for (auto& [to, offer] : allocator->offer(now))
        send({false, to, 0, std::move(offer), leg::from_allocator});
      recall();
    }
    if (allocator || options_.exclusive)
      return;
    ++round_;
    for (const auto& o : owners)
      for (scheduler_id s = 0; s < options_.schedulers; ++s)
        if (auto update = o.sync(plan_, round_, s, now); !update.partitions.empty())
          send({false, s, o.id(), std::move(update)});
  }

  void report(owner_id o) {
    for (auto& [to, report] : owners[o].reports(now))
      send({false, to, o, std::move(report)});
    if (auto* outbox = owners[o].outbox())
      if (auto report = outbox->report(now))
        send({false, 0, o, std::move(*report), leg::to_allocator});
  }

  void send_again() {
    for (auto& o : owners)
      for (auto& [to, report] : o.unseen(now - std::chrono::seconds{1}, now))
        send({false, to, o.id(), std::move(report)});
    for (auto& o : owners)
      if (auto* outbox = o.outbox())
        for (auto& report : outbox->unseen(now - std::chrono::seconds{1}, now))
          send({false, 0, o.id(), std::move(report), leg::to_allocator});
    for (auto& s : schedulers)
      for (auto& [to, request] : s.overdue(now))
        send({true, s.id(), to, std::move(request)});
    for (auto& o : owners)
      o.release_silent(now - options_.hold_timeout, now);
  }

  void lose_or_restore() {
    const auto m = any(machines_->machines());
    auto& owner = owners[owner_of(m)];
    if (any(2) == 0) {
      owner.restore(m);
      return;
    }
    owner.remove(m, now);
    std::erase_if(runs_, [m](const auto& run) { return run.second.machine == m; });
  }

  void check() {
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

  /// What the owners tell of the tenants is what runs.
  void check_shares() {
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

  ranking_options ranking() const {
    return {options_.limits.preemption, static_cast<std::uint32_t>(options_.tenants.size())};
  }

  core_cluster_options options_;
  const catalog* machines_;
  random_stream random_;
  sync_plan plan_;
  std::vector<bool> deciding_;
  std::vector<message> bag_;
  std::map<task_id, granted_placement> runs_;
  std::vector<task_end> evicted_; ///< whose ends the owner has not heard of
  std::uint64_t round_ = 0;
  std::map<job_id, job> picky_; ///< what was asked for
  job_id next_job_ = 0;
};

} // namespace troupe::testing
