#pragma once

#include "actors/offers/allocator_core.hpp"
#include "actors/owner/owner_core.hpp"
#include "actors/scheduler/scheduler_core.hpp"
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

/// The faults of the links of a `core_cluster`, and its construction.
struct core_cluster_options {
  std::uint32_t schedulers = 4;
  std::uint32_t owners = 3;
  std::string policy = "random-fit";
  conflict_detection detection = conflict_detection::fine;
  scheduler_limits limits{.batch = 4, .max_attempts = 0, .commit_timeout = std::chrono::seconds{2}};
  double loss = 0;         ///< share of messages that are lost
  double duplication = 0;  ///< share of messages that arrive twice
  bool keeps_order = true; ///< of the messages between two ends
  bool loses_machines = false;
  bool picky = false; ///< random jobs have constraints on the attribute "disk", or anti-affinity
  std::vector<tenant_quota> tenants{}; ///< jobs belong to random ones
  bool exclusive = false;              ///< schedulers have separate partitions and no sync
  std::optional<offer_rules> offers{}; ///< if set, schedulers place tasks only on offers
  double gangs = 0;                    ///< share of jobs that are gangs
  duration hold_timeout =
    std::chrono::seconds{20};   ///< of owners, far beyond the time-outs for repetition
  std::uint32_t most_tasks = 6; ///< of the first group of a job
  std::uint64_t seed = 1;
};

/// Schedulers and owners as plain values, with messages in a bag. The guarantees of the protocol
/// must hold for every random sequence of events. The class keeps separate records of the tasks
/// that run and that are over, and checks the invariants after every event.
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
  std::map<job_id, std::uint32_t> gangs; ///< number of tasks of each
  std::uint64_t submitted = 0;
  std::uint64_t evictions = 0;
  double greatest_share = 0; ///< greatest share so far of a tenant with a maximum
  instant now{0};

  /// Executes one event of any kind, then checks the invariants.
  void step();

  /// Runs all submitted tasks to their end, over links without faults.
  void drain();

  /// Returns the counts of all schedulers and all owners since the last call.
  std::pair<scheduler_sample, owner_sample> take_sample();

private:
  scheduler_limits limits_of(scheduler_id s) const;
  struct seen_note {
    scheduler_id from = 0;
    std::uint64_t number = 0;
  };

  /// The ends of a message that are not a scheduler or an owner.
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

  /// Gives half of the jobs a constraint on the kind of machine, and half anti-affinity.
  void ask_for_more(job& j);

  /// Checks that every task of a picky job runs on a permitted machine.
  void check_places();

  /// Starts a decision, or sends the commits of a finished one.
  void decide(scheduler_id s);
  void deliver();
  void receive(const message& m, commit_request& request);
  void receive(const message& m, commit_reply& reply);
  void receive(const message& m, sync_update& update);
  void receive(const message& m, task_report& report);
  void receive(const message& m, seen_note& note) {
    owners[m.owner].seen(note.from, note.number, now);
  }
  void receive(const message& m, resource_offer& offer);
  void receive(const message& m, offer_recall& recall);
  void receive(const message&, offer_answer& reply) { allocator->answer(reply, now); }
  void receive(const message& m, capacity_report& report);
  void receive(const message& m, capacity_seen& seen);
  void answer(scheduler_id s, std::optional<offer_answer> reply);

  /// Waits until all open offers are answered: everything must be free then.
  void take_all_back();
  void recall();

  /// Removes a task from its machine, by the owner's order. Its end may be in transit already.
  void evict(const evicted_task& gone, const placement& by);
  void end_one();
  void sync();
  void report(owner_id o);
  void send_again();
  void lose_or_restore();
  void check();

  /// Checks that the owners' reports about tenants equal the running tasks.
  void check_shares();
  ranking_options ranking() const;

  core_cluster_options options_;
  const catalog* machines_;
  random_stream random_;
  sync_plan plan_;
  std::vector<bool> deciding_;
  std::vector<message> bag_;
  std::map<task_id, granted_placement> runs_;
  std::vector<task_end> evicted_; ///< whose ends the owner has not received
  std::uint64_t round_ = 0;
  std::map<job_id, job> picky_; ///< their requirements
  job_id next_job_ = 0;
};

} // namespace troupe::testing
