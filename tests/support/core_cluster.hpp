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
  void step();

  /// Lets everything that was submitted come to its end, over links without faults.
  void drain();

  /// What all schedulers and all owners counted since the last call.
  std::pair<scheduler_sample, owner_sample> take_sample();

private:
  scheduler_limits limits_of(scheduler_id s) const;
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

  owner_id owner_of(machine_id m) const;
  bool at_rest() const;
  void send(message m);
  void submit();

  /// Half of the jobs must have machines of one kind, half of them keep their tasks apart.
  void ask_for_more(job& j);

  /// Every task of a picky job runs where it may.
  void check_places();

  /// Starts a decision, or hands out what was decided.
  void decide(scheduler_id s);
  void deliver();
  void receive(const message& m, commit_request& request);
  void receive(const message& m, commit_reply& reply);
  void receive(const message& m, sync_update& update);
  void receive(const message& m, task_report& report);
  void receive(const message& m, seen_note& note) { owners[m.owner].seen(note.from, note.number); }
  void receive(const message& m, resource_offer& offer);
  void receive(const message& m, offer_recall& recall);
  void receive(const message&, offer_answer& reply) { allocator->answer(reply, now); }
  void receive(const message& m, capacity_report& report);
  void receive(const message& m, capacity_seen& seen);
  void answer(scheduler_id s, std::optional<offer_answer> reply);

  /// Lets all open offers be answered: everything must be free then.
  void take_all_back();
  void recall();

  /// Takes a task off its machine, as the owner says. Its end may have been under way already.
  void evict(const evicted_task& gone, const placement& by);
  void end_one();
  void sync();
  void report(owner_id o);
  void send_again();
  void lose_or_restore();
  void check();

  /// What the owners tell of the tenants is what runs.
  void check_shares();
  ranking_options ranking() const;

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
