#pragma once

#include "model/jobs/gang_room.hpp"
#include "model/jobs/job_book.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// The gangs of one scheduler that found no room. Each gang is either aside or taken out for
/// another attempt. A gang that is put aside again returns to its old position.
class gangs_aside {
public:
  /// More than any gang needs.
  static constexpr resource_sum unlimited() {
    resource_sum sum;
    sum.amount.fill(std::numeric_limits<std::int64_t>::max());
    return sum;
  }

  /// Returns whether there are any gangs, aside or taken out.
  bool any() const { return !gangs_.empty(); }

  /// Returns whether any gang is aside.
  bool any_aside() const { return least_ != unlimited(); }

  /// Returns whether any gang aside may find room although nothing has become free.
  bool any_restless() const { return restless_ > 0; }

  /// Returns an amount that every gang aside needs at least; nothing if no gang is aside.
  resource_sum least() const { return least_ == unlimited() ? resource_sum{} : least_; }

  /// Counts the gangs that were put aside for the first time.
  std::uint64_t newest() const { return last_; }

  /// Returns the need of a gang that was put aside before, or null.
  const gang_need* need_of(job_id gang) const;

  /// Puts a gang aside: at the back the first time, and later at its old position. A gang is
  /// `restless` if another attempt may place it although nothing has become free.
  void put(const waiting_task& whole, gang_need need, bool restless);

  /// The same for a gang that was taken out.
  void put_again(const waiting_task& whole, bool restless);

  /// Takes out the gangs aside for which `wanted(need)` holds, in their order; none if each needs
  /// more than is `free` in all. With `in_turn`, gangs stay aside if they are behind a gang that
  /// was taken out before and has not returned.
  template <class Wanted>
  std::vector<waiting_task> take(const resource_sum& free, bool in_turn, Wanted wanted);

  /// Returns whether the last `take` left any gang aside because of `in_turn`.
  bool left_behind() const { return left_behind_; }

  /// Forgets a gang; returns it if it is aside.
  std::optional<waiting_task> drop(job_id gang);

  /// Calls `visit(whole)` for each gang that is aside, in their order.
  template <class Visit>
  void visit_aside(Visit visit) const {
    for (const auto& [_, gang] : gangs_)
      if (gang.aside)
        visit(gang.whole);
  }

private:
  struct entry {
    waiting_task whole;
    gang_need need;
    bool aside = false;
    bool restless = false;
  };

  void lay(entry& gang, const waiting_task& whole, bool restless);
  void calm(entry& gang);
  void note(const gang_need& need);
  bool may_suffice(const resource_sum& free) const;

  std::map<std::uint64_t, entry> gangs_; ///< in the order in which they were put aside first
  std::unordered_map<job_id, std::uint64_t> places_;
  std::uint64_t last_ = 0;
  std::uint64_t restless_ = 0;
  resource_sum least_ = unlimited(); ///< no gang aside needs less, of any kind of resource
  bool left_behind_ = false;
};

template <class Wanted>
std::vector<waiting_task> gangs_aside::take(const resource_sum& free, bool in_turn, Wanted wanted) {
  std::vector<waiting_task> taken;
  left_behind_ = false;
  if (!may_suffice(free))
    return taken;
  least_ = unlimited();
  bool turn_is_over = false;
  for (auto& [_, gang] : gangs_) {
    if (!gang.aside) {
      turn_is_over = in_turn;
      continue;
    }
    const bool take_it = wanted(gang.need);
    if (take_it && !turn_is_over) {
      calm(gang);
      gang.aside = false;
      taken.push_back(gang.whole);
      continue;
    }
    note(gang.need);
    if (take_it)
      left_behind_ = true;
    else
      calm(gang);
  }
  return taken;
}

} // namespace troupe
