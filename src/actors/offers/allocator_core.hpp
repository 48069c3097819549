#pragma once

#include "actors/offers/gang_starvation.hpp"
#include "actors/offers/offer_meter.hpp"
#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/drf.hpp"
#include "model/protocol/offers.hpp"
#include "model/protocol/reliable_receiver.hpp"

#include <boost/dynamic_bitset.hpp>

#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// How resources are offered.
struct offer_rules {
  /// What a framework left of an offer is not offered to it again for this long; 0: no filter.
  duration filter = std::chrono::seconds{5};
  duration timeout{0}; ///< an offer that is not answered by then is asked back; 0: never
  /// All free resources go to the framework whose turn it is (Omega's simulation of Mesos); else
  /// each machine goes to the framework whose turn it is at that moment, and offered resources
  /// count for its share (Mesos itself).
  bool whole = false;
  bool hoarding = false; ///< frameworks with gangs keep offers until they add up
  /// The allocator asks after an offer without an answer this often.
  duration ask_after = std::chrono::seconds{2};

  /// With a shorter filter, a framework that has left a part of a machine gets no part of it while
  /// others are under offer, for this long at most. Otherwise the parts could go back and forth by
  /// turns and never be free at once.
  static constexpr duration part_patience = std::chrono::seconds{5};
};

/// The knowledge and the decisions of the allocator of a two-level cluster, without the actor
/// around it: which resources are free, which are under offer to which framework, and which
/// framework's turn it is (Dominant Resource Fairness). Resources under offer are locked: no other
/// framework gets them until the framework has returned the unused ones.
///
/// A framework reports that gangs wait. As soon as there may be room for one of them, all free
/// resources go to this framework when its turn comes, filtered or not: offered one after the
/// other, the parts would never be enough. Each time that the framework cannot use them, it is
/// passed over for twice as many rounds, but not for longer than by a filter. If its turn does not
/// come for `gang_starvation::patience`, offers to other frameworks are held back.
///
/// A framework that suppresses offers gets none before it asks for them, and then no filter holds
/// that was set before.
///
/// Offers do not use a `reliable_channel`: an offer is not repeated but asked after, since
/// meanwhile it may have been answered, and after a time-out it is asked back.
///
/// The allocator grants nothing, partition owners do. It never offers a resource twice: a machine's
/// free resources, those under offer and those in use always add up to its capacity, even if
/// messages are lost or late.
class allocator_core {
public:
  /// Frameworks are schedulers, by their number; `group_of` says for each to which group it
  /// belongs. `machines` must outlive the core.
  allocator_core(const catalog& machines, std::vector<double> weights,
                 std::vector<std::uint32_t> group_of, const offer_rules& rules);

  /// One that knows of nothing before owners have stated it. `incarnation` is the allocator's.
  static allocator_core unaware(const catalog& machines, std::vector<double> weights,
                                std::vector<std::uint32_t> group_of, const offer_rules& rules,
                                std::uint32_t incarnation, instant now);

  /// Books the statement of an owner. Returns false if the owner has stated it before.
  bool state(const capacity_statement& what, instant now);

  /// Returns whether an owner has stated its resources.
  bool knows(owner_id owner) const { return booked(owner) > 0; }

  using outgoing_offers = std::vector<std::pair<scheduler_id, resource_offer>>;
  using outgoing_recalls = std::vector<std::pair<scheduler_id, offer_recall>>;

  /// Offers the resources that are free and not filtered.
  outgoing_offers offer(instant now);

  /// Offers nothing to a framework, except an empty offer to find out whether it answers, or
  /// offers to it again.
  void withhold(scheduler_id f, bool from_it) { frameworks_[f].withheld = from_it; }

  /// Books an answer. One that was booked before is ignored.
  void answer(const offer_answer& reply, instant now);

  /// Books a report of an owner. Returns the number up to which its reports have been booked; a
  /// repeated report changes nothing, and a report that arrives too early is kept.
  std::uint64_t book(const capacity_report& report, instant now);

  /// The number up to which an owner's reports have been booked.
  std::uint64_t booked(owner_id owner) const;

  /// The channel of an owner's reports, for its session and its acknowledgements.
  reliable_receiver<capacity_report>& reports_of(owner_id owner);

  /// Returns the questions after offers that are due for one.
  outgoing_recalls recalls(instant now);

  /// When the next question is due; `instant::max()` if no offer is open.
  instant next_recall() const;

  /// The resources of a machine that are neither under offer nor in use. Negative if lost resources
  /// have not been given back yet.
  const resources& free(machine_id m) const { return free_[m]; }

  /// The dominant share of a framework, by the resources that it uses and those that are offered to
  /// it.
  double share(scheduler_id f) const { return drf_.share(f); }

  /// Returns the counts since the last call.
  allocator_status take_sample(instant now);

private:
  struct open_offer {
    offer_id id = 0;
    instant made{0};
    instant asked{0};
    bool timed_out = false;
    bool all = false; ///< it was all that was free, for gangs
    resource_sum total;
    std::vector<machine_amount> machines;
  };

  struct refusal {
    instant at{0};
    resources what;
  };

  struct framework {
    std::uint32_t group = 0;
    offer_id latest = 0;
    std::deque<open_offer> open;
    std::vector<refusal> refused; ///< by machine
    bool returns = false;         ///< it waits for an offer to return something with its answer
    bool suppresses = false;      ///< it has nothing to place
    bool withheld = false;
    resource_sum wants;                      ///< that its gangs need at once, at least
    bool gangs = false;                      ///< it has some
    std::uint64_t freed = ~std::uint64_t{0}; ///< `freed_` when it was given all last
    instant given_all{0};
    std::uint64_t given_all_in = 0; ///< the round
    std::uint32_t in_vain = 0;      ///< how often it used nothing of all, since it last did

    offer_id settled_below() const { return open.empty() ? latest + 1 : open.front().id; }
  };

  bool filtered(const framework& f, machine_id m, instant now) const;
  bool refused(const framework& f, machine_id m, instant now) const;
  std::optional<scheduler_id> whose_gangs_may_fit(instant now);
  bool may_want_all(const framework& f, instant now) const;
  bool may_end_starvation(const framework& f) const;
  void note_starvation(instant now);
  static bool gangs_fit(const framework& f, const resource_sum& amount);
  bool awaits_answers(const framework& f) const;
  void hold(scheduler_id f, machine_id m, open_offer& lot);
  void release(machine_id m, const resources& amount);
  void settle(scheduler_id id, const open_offer& offer, instant now);
  void charge_rest(const offer_answer& reply);
  void book(const capacity_report& report);
  instant end_of(const open_offer& offer) const;
  instant due(const open_offer& offer) const;
  void list(machine_id m);
  /// In a cluster that grows, the shares of frameworks are those of what the machines have.
  void look_at_machines();
  void account(instant now) { meter_.account(all_free_, drf_, now); }

  const catalog* machines_;
  offer_rules rules_;
  drf drf_;
  std::vector<resources> free_;
  std::vector<std::uint32_t> parts_; ///< under offer, by machine
  resource_sum all_free_;
  std::uint64_t freed_ = 0; ///< counts what owners reported
  std::uint64_t rounds_ = 0;
  boost::dynamic_bitset<std::uint64_t> listed_; ///< machines with something to offer
  /// The machine that the next round offers first, drawn after each round. In a fixed order,
  /// frameworks that take turns might get offers of the same machines every time (Mesos shuffles
  /// them).
  std::size_t first_ = 0;
  random_stream order_{1};
  std::vector<framework> frameworks_;
  gang_starvation starvation_;
  std::vector<reliable_receiver<capacity_report>> reports_; ///< by owner
  std::vector<resources> used_; ///< by machine, of the answer that is being booked
  offer_meter meter_;
  std::uint64_t growth_ = ~std::uint64_t{0}; ///< the version of the machines that the shares are of
};

} // namespace troupe
