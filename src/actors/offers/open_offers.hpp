#pragma once

#include "model/protocol/offers.hpp"

#include <deque>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace troupe {

/// A framework's side of the offers: the open offers, which it has not answered, and the answers
/// that the allocator may not have seen. All open offers are answered together.
///
/// This is no `reliable_channel`: an answer is sent again when the allocator asks for it, since the
/// question may also ask for an offer back that was lost.
class open_offers {
public:
  explicit open_offers(scheduler_id framework) : framework_(framework) {}

  /// Takes an offer in. Returns false if it has been taken in, or answered, before.
  bool receive(offer_id id, std::span<const machine_amount> machines);

  /// Drops the answers that the allocator has seen: those to offers before `below`.
  void settled(offer_id below);

  bool any() const { return !ids_.empty(); }

  /// Returns whether an offer, and with it every earlier one, has been answered.
  bool answered(offer_id id) const { return id <= answered_; }

  /// The machines of the open offers; one may stand there more than once.
  const std::vector<machine_id>& machines() const { return machines_; }

  /// Notes that a task has been committed to the owner of a machine.
  void use(machine_id machine, const resources& amount) { used_.push_back({machine, amount}); }

  /// How many tasks were committed since the last answer.
  std::size_t used() const { return used_.size(); }

  /// Notes that the owner has refused such a task.
  void give_back(machine_id machine, const resources& amount) {
    returned_.push_back({machine, amount});
  }

  /// Answers all open offers, of which there must be one. `wants`, `suppresses` and `gangs` as in
  /// `offer_answer`.
  const offer_answer& answer(const resource_sum& wants, bool suppresses, bool gangs);

  /// Returns whether the next answer says that something was refused.
  bool returns() const { return !returned_.empty(); }

  /// Returns a message that states only the framework's demand, and that it has something to
  /// return.
  offer_answer ask(const resource_sum& wants, bool suppresses, bool gangs) const {
    return {framework_, 1, 0, {}, returned_, wants, suppresses, gangs};
  }

  /// Returns the answer that an offer was given, if it is still kept.
  const offer_answer* answer_to(offer_id id) const;

private:
  scheduler_id framework_;
  offer_id answered_ = 0; ///< the newest offer that was answered
  std::set<offer_id> ids_;
  std::vector<machine_id> machines_;
  std::vector<machine_amount> used_;
  std::vector<machine_amount> returned_;
  std::deque<offer_answer> answers_;
};

} // namespace troupe
