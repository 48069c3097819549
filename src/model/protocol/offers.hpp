#pragma once

#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/resources.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// The messages between the allocator, the frameworks (schedulers that are offered resources) and
/// the partition owners under two-level scheduling, as plain values (Hindman et al., Mesos, NSDI
/// 2011, section 3.2).
namespace troupe {

/// Counts the offers to one framework, from 1.
using offer_id = std::uint64_t;

/// Resources of one machine.
struct machine_amount {
  machine_id machine = 0;
  resources amount;

  friend bool operator==(const machine_amount&, const machine_amount&) = default;
};

/// Free resources on which one framework, and no other, may place tasks until it answers.
struct resource_offer {
  offer_id id = 0;
  offer_id settled_below = 0; ///< the answers to all earlier offers have arrived
  std::vector<machine_amount> machines;
};

/// The allocator's request for the answer to an offer.
struct offer_recall {
  offer_id id = 0;
  offer_id settled_below = 0; ///< the answers to all earlier offers have arrived
  bool rescind = false;       ///< the offer has timed out: the framework must answer now
};

/// A framework's answer to its offers. Resources that it did not use belong to the allocator again.
struct offer_answer {
  scheduler_id framework = 0;
  offer_id first = 0; ///< the first answered offer; beyond `last`: answers none
  offer_id last = 0;
  std::vector<machine_amount> used; ///< committed to the owners
  /// Resources that this answer or an earlier one listed as used, and that an owner has refused. If
  /// the answer answers no offer, the framework waits for an offer, possibly empty, to return them.
  std::vector<machine_amount> returned;
  /// The least amount that each of its waiting gangs needs at once; zero if it has none, or if they
  /// need different kinds of resources.
  resource_sum wants{};
  /// Nothing waits for a place: the framework is offered nothing until another answer says that
  /// something does. What it declined before does not count then (Mesos: suppress and revive).
  bool suppresses = false;
  bool gangs = false; ///< gangs wait
};

/// Resources that a task of a framework has released.
struct freed_amount {
  machine_id machine = 0;
  scheduler_id framework = 0;
  resources amount;
};

/// An owner's report to the allocator, sent at once.
struct capacity_report {
  owner_id owner = 0;
  std::uint64_t number = 0; ///< counts the reports of one owner, from 1
  std::vector<freed_amount> freed;
  std::vector<machine_change> changes; ///< in order of occurrence
};

/// The allocator's acknowledgement of an owner's reports up to a number.
struct capacity_seen {
  std::uint64_t number = 0;
};

/// The request of a new incarnation of the allocator for the state of an owner.
struct capacity_call {
  std::uint32_t incarnation = 0;
};

/// An owner's answer to a new incarnation of the allocator, sent once; reports continue after it.
struct capacity_statement {
  owner_id owner = 0;
  std::uint64_t number = 0;          ///< of the last report that this includes
  std::vector<machine_amount> free;  ///< of the present machines
  std::vector<freed_amount> running; ///< resources of each framework's tasks on each machine
};

/// Returns the number of the first offer of an allocator's incarnation: later ones have higher
/// numbers.
constexpr offer_id first_offer(std::uint32_t incarnation) {
  return std::uint64_t{incarnation} << 40;
}

constexpr std::uint32_t incarnation_of_offer(offer_id id) {
  return static_cast<std::uint32_t>(id >> 40);
}

/// Counts of an allocator over an interval, for one group of frameworks or for all of them.
struct offer_sample {
  std::uint64_t made = 0;
  std::uint64_t accepted = 0;  ///< answered, with resources used
  std::uint64_t declined = 0;  ///< answered, with nothing used
  std::uint64_t timed_out = 0; ///< not answered in time, therefore rescinded
  std::uint64_t rescinded = 0; ///< timed out, with nothing used
  double seconds = 0;          ///< length of the interval
  double locked_seconds = 0;   ///< integral over time of the share of the cluster under offer
  double locked_max = 0;       ///< greatest share of the cluster under offer
  double share_seconds = 0;    ///< integral over time of the frameworks' mean dominant share
  double share_max = 0;        ///< greatest dominant share of a framework

  double locked() const { return seconds > 0 ? locked_seconds / seconds : 0; }
  double share() const { return seconds > 0 ? share_seconds / seconds : 0; }

  /// Adds the counts over another interval.
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

/// The allocator's report to the recorder.
struct allocator_status {
  offer_sample all;
  std::vector<offer_sample> groups;
  sample_mark mark{}; ///< set in runs with failures
};

} // namespace troupe
