#pragma once

#include "model/failure_protocol.hpp"
#include "model/ids.hpp"
#include "model/protocol.hpp"
#include "model/resource_sum.hpp"
#include "model/resources.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// What the allocator, the frameworks (schedulers that are offered resources) and the partition
/// owners tell each other under two-level scheduling, as plain values (Hindman et al., Mesos,
/// NSDI 2011, section 3.2).
namespace troupe {

/// Counts the offers to one framework, from 1.
using offer_id = std::uint64_t;

/// Resources of one machine.
struct machine_amount {
  machine_id machine = 0;
  resources amount;

  friend bool operator==(const machine_amount&, const machine_amount&) = default;
};

/// Free resources that one framework, and nobody else, may place tasks on until it answers.
struct resource_offer {
  offer_id id = 0;
  offer_id settled_below = 0; ///< the answers to all earlier offers have arrived
  std::vector<machine_amount> machines;
};

/// The allocator's question after an offer that has not been answered.
struct offer_recall {
  offer_id id = 0;
  offer_id settled_below = 0; ///< the answers to all earlier offers have arrived
  bool rescind = false;       ///< it has timed out: it is to be answered now
};

/// What a framework did with its offers. What it did not use of them is the allocator's again.
struct offer_answer {
  scheduler_id framework = 0;
  offer_id first = 0; ///< of the offers that are answered; beyond `last`: it answers none
  offer_id last = 0;
  std::vector<machine_amount> used; ///< committed to the owners
  /// Of what this answer or an earlier one said was used: what an owner has refused. If it answers
  /// none: it waits for an offer, be it empty, to return that with the answer.
  std::vector<machine_amount> returned;
  /// It has gangs that wait, each of which needs at least this much at once; nothing: it has none.
  resource_sum wants{};
};

/// Resources that a task of a framework has given up.
struct freed_amount {
  machine_id machine = 0;
  scheduler_id framework = 0;
  resources amount;
};

/// What an owner tells the allocator as it happens.
struct capacity_report {
  owner_id owner = 0;
  std::uint64_t number = 0; ///< counts the reports of one owner, from 1
  std::vector<freed_amount> freed;
  std::vector<machine_change> changes; ///< in their order
};

/// The allocator's word that it has seen an owner's reports up to a number.
struct capacity_seen {
  std::uint64_t number = 0;
};

/// The question of another life of the allocator what there is.
struct capacity_call {
  std::uint32_t life = 0;
};

/// What an owner tells another life of the allocator, once; reports go on from there.
struct capacity_statement {
  owner_id owner = 0;
  std::uint64_t number = 0;          ///< of the latest report that this includes
  std::vector<machine_amount> free;  ///< of the machines that are there
  std::vector<freed_amount> running; ///< what tasks of each framework hold on each machine
};

/// Offers of later lives of an allocator have higher numbers.
constexpr offer_id first_offer(std::uint32_t life) {
  return std::uint64_t{life} << 40;
}

constexpr std::uint32_t life_of_offer(offer_id id) {
  return static_cast<std::uint32_t>(id >> 40);
}

/// What an allocator counted over an interval, for one group of frameworks or for all of them.
struct offer_sample {
  std::uint64_t made = 0;
  std::uint64_t accepted = 0;  ///< answered, and something was used
  std::uint64_t declined = 0;  ///< answered, and nothing was used
  std::uint64_t timed_out = 0; ///< not answered in time, and so asked back
  std::uint64_t rescinded = 0; ///< timed out, and nothing of it was used
  double seconds = 0;          ///< length of the interval
  double locked_seconds = 0;   ///< integral over time of the share of the cluster under offer
  double locked_max = 0;       ///< greatest share of the cluster under offer
  double share_seconds = 0;    ///< integral over time of the frameworks' mean dominant share
  double share_max = 0;        ///< greatest dominant share of a framework

  double locked() const { return seconds > 0 ? locked_seconds / seconds : 0; }
  double share() const { return seconds > 0 ? share_seconds / seconds : 0; }

  /// Adds what was counted over another interval.
  void merge(const offer_sample& other) {
    made += other.made;
    accepted += other.accepted;
    declined += other.declined;
    timed_out += other.timed_out;
    rescinded += other.rescinded;
    seconds += other.seconds;
    locked_seconds += other.locked_seconds;
    locked_max = std::max(locked_max, other.locked_max);
    share_seconds += other.share_seconds;
    share_max = std::max(share_max, other.share_max);
  }
};

/// What an allocator tells the recorder.
struct allocator_status {
  offer_sample all;
  std::vector<offer_sample> groups;
  sample_mark mark{}; ///< set in runs with failures
};

} // namespace troupe
