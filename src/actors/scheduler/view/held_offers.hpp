#pragma once

#include "actors/offers/open_offers.hpp"
#include "actors/scheduler/view/charged_view.hpp"
#include "model/cluster/present_capacity.hpp"
#include "model/jobs/gangs_aside.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace troupe {

/// The offers that a scheduler holds, and how many tasks it may place before it answers them. An
/// open offer is part of the view; an answered one is not.
class held_offers {
public:
  held_offers(const scheduler_setup& setup, charged_view& charged)
    : setup_(setup), view_(charged), open_(setup.id) {}

  /// The incarnation of the allocator whose offers count.
  std::uint32_t incarnation() const { return incarnation_; }

  /// Returns whether an offer is of a later incarnation of the allocator.
  bool replaced_by(offer_id id) const { return incarnation_of_offer(id) > incarnation_; }

  /// Returns whether one task more may be placed, with `decided` tasks not committed yet.
  bool has_room(std::size_t decided) const { return open_.used() + decided < quota_; }

  /// Notes that a task was committed to a machine of the offers, or was refused there later, under
  /// offers of an incarnation of the allocator.
  void use(machine_id m, const resources& demand) { open_.use(m, demand); }
  void give_back(machine_id m, const resources& demand, std::uint32_t incarnation) {
    if (incarnation == incarnation_)
      open_.give_back(m, demand);
  }

  /// Adds an offer to the view, for the tasks that wait or are decided on now.
  void receive(const resource_offer& what, std::size_t decided, std::size_t queued) {
    if (incarnation_of_offer(what.id) < incarnation_)
      return;
    drop_old(what.id);
    open_.settled(what.settled_below);
    if (!open_.receive(what.id, what.machines))
      return;
    suppression_ = suppression::none;
    view_.give(what.machines);
    quota_ = open_.used() + decided + queued;
    if (setup_.limits.offer_tasks > 0)
      quota_ = std::min<std::size_t>(quota_, setup_.limits.offer_tasks);
    view_.note_gain();
  }

  /// Returns whether it keeps its offers, so that they add up to enough for a gang that waits
  /// (hoarding; Schwarzkopf et al., Omega, EuroSys 2013, table 1): as long as they are no more than
  /// a share of the cluster, within which some gang may fit. The allocator's time-out ends that.
  bool hoards(const gangs_aside& gangs) const {
    const auto most = setup_.limits.hoard;
    if (most == 0 || !open_.any() || !gangs.any())
      return false;
    const auto all = present_capacity(setup_.machines);
    return dominant_share(gangs.least(), all) <= most && dominant_share(kept(), all) <= most;
  }

  /// Answers the open offers, if there are any, and empties the view, or says that there are gangs
  /// to be offered room for, or that there are tasks again. `waits`: whether any task does.
  std::optional<offer_answer> answer(const gangs_aside& gangs, bool waits) {
    const bool asks = asked_for_ != gangs.newest();
    asked_for_ = gangs.newest();
    if (!open_.any()) {
      const bool revives = waits && suppression_ == suppression::told;
      if (revives)
        suppression_ = suppression::revoked;
      return asks || revives || open_.returns()
               ? std::optional{open_.ask(gangs.least(), suppresses(), gangs.any_aside())}
               : std::nullopt;
    }
    suppression_ = waits || !setup_.limits.suppress_offers ? suppression::none : suppression::told;
    view_.clear(open_.machines());
    return open_.answer(gangs.least(), suppresses(), gangs.any_aside());
  }

  /// If it has asked for offers again and got none, the next `answer` repeats that: it may be lost.
  void repeat_revival() {
    if (suppression_ == suppression::revoked)
      suppression_ = suppression::told;
  }

  /// Returns the message that it still decides on its offers.
  offer_answer still_decides(const gangs_aside& gangs) const {
    return open_.ask(gangs.least(), false, gangs.any_aside());
  }

  /// Returns whether a decision under way has to be withdrawn for this recall to be answered.
  bool takes_back(const offer_recall& what) const {
    return what.rescind && incarnation_of_offer(what.id) >= incarnation_ &&
           !open_.answered(what.id);
  }

  /// Answers a recall; nothing if the offer stays open.
  std::optional<offer_answer> recall(const offer_recall& what, const gangs_aside& gangs,
                                     bool waits) {
    if (incarnation_of_offer(what.id) < incarnation_)
      return std::nullopt;
    drop_old(what.id);
    open_.settled(what.settled_below);
    if (open_.answered(what.id)) {
      const auto* given = open_.answer_to(what.id);
      if (given == nullptr)
        return std::nullopt;
      auto again = *given;
      again.suppresses = suppresses();
      return again;
    }
    open_.receive(what.id, {}); // if it was lost on its way
    return takes_back(what) ? answer(gangs, waits) : std::nullopt;
  }

private:
  /// Whether it has told the allocator that it needs no offers.
  enum class suppression : std::uint8_t { none, told, revoked };

  bool suppresses() const { return suppression_ == suppression::told; }

  /// What is left of the open offers.
  resource_sum kept() const {
    resource_sum sum;
    auto machines = open_.machines(); // one may stand there more than once
    std::ranges::sort(machines);
    const auto again = std::ranges::unique(machines);
    machines.erase(again.begin(), again.end());
    for (const auto m : machines)
      sum += view_.seen().free(m);
    return sum;
  }

  void drop_old(offer_id latest) {
    if (!replaced_by(latest))
      return;
    incarnation_ = incarnation_of_offer(latest);
    suppression_ = suppression::none;
    view_.clear(open_.machines());
    open_ = open_offers(setup_.id);
  }

  const scheduler_setup& setup_;
  charged_view& view_;
  open_offers open_;
  std::uint32_t incarnation_ = 0;                               ///< of the allocator
  std::size_t quota_ = std::numeric_limits<std::size_t>::max(); ///< tasks until the answer
  suppression suppression_ = suppression::none;
  std::uint64_t asked_for_ = 0; ///< the newest gang when offers were answered last
};

} // namespace troupe
