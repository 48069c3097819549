#pragma once

#include "model/failure_protocol.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// How the master decides that members are gone.
struct member_rules {
  incarnation master = 1;                             ///< which life of the master this is
  duration timeout = std::chrono::milliseconds{1500}; ///< silence after which a member is given up
  duration owner_lease = std::chrono::seconds{10}; ///< how long owners may act without the master
  /// Job stores, from number 0, that a master which has just been started has to hear before it
  /// vouches for schedulers, to themselves and to new owners: who has replaced one may be known to
  /// its job store only.
  std::uint32_t stores = 0;
};

/// What the master knows of those who show signs of life: who serves as what, who is silent, who
/// could take its place. Without an actor around it.
///
/// A master that has just been started has everyone tell what they know, and replaces nobody before
/// all had the time to.
class member_table {
public:
  /// `places` are those that are to be filled, with their first lives; 0: nobody has filled it yet,
  /// which is done once everyone who could has had the time to show up.
  member_table(std::vector<roster_entry> places, const member_rules& rules, instant now);

  /// Books a sign of life. Returns the answer.
  beat_answer hear(const member_beat& beat, instant now);

  /// A place and the candidate that is to fill it, by its own number.
  struct appointment {
    std::uint32_t candidate = 0;
    promotion what;
  };

  /// Somebody else is to fill a place, as soon as there is a candidate.
  void let_go(role what, std::uint32_t number);

  /// Fills the places of members that are silent as long as there are candidates. To be called
  /// often.
  std::vector<appointment> check(instant now);

  /// Returns what a candidate was appointed to if it seems not to know of it.
  std::optional<promotion> appointed(role what, std::uint32_t number) const;

  /// Who serves as what, as far as it is known.
  const roster& now() const { return roster_; }

private:
  struct place {
    roster_entry who;
    instant heard{0};
    bool shown = false;  ///< this life has been heard of
    bool leaves = false; ///< another candidate is to fill it
  };

  struct candidate {
    role what = role::owner;
    std::uint32_t number = 0;
    instant heard{0};
  };

  place* find(role what, std::uint32_t number);
  const place* find(role what, std::uint32_t number) const;
  void learn(const std::vector<roster_entry>& known);
  std::optional<std::uint32_t> take_candidate(role what, instant now);
  void publish();
  bool knows_stores() const;

  member_rules rules_;
  instant started_;
  std::vector<place> places_;
  std::vector<candidate> candidates_; ///< in the order in which they came
  std::map<std::pair<role, std::uint32_t>, promotion> appointed_; ///< by candidate
  std::vector<std::pair<role, std::uint32_t>> told_;              ///< who has told its roster
  roster roster_;
};

} // namespace troupe
