#pragma once

#include "model/view/sharing.hpp"
#include "model/view/view.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace troupe {

/// A scheduler's own partitions. It hides the others from the scheduler's view, so policies need no
/// special code.
class own_share {
public:
  /// All partitions are shared.
  own_share() = default;

  own_share(sharing how, std::vector<partition_id> own) : how_(how), own_(std::move(own)) {}

  /// Distributes the partitions: p belongs to scheduler p mod `schedulers`.
  static own_share dealt(sharing how, scheduler_id scheduler, std::uint32_t schedulers,
                         std::uint32_t partitions);

  sharing how() const { return how_; }
  const std::vector<partition_id>& own() const { return own_; }

  /// The only partitions that the scheduler may ever use; empty: it may use all.
  std::span<const partition_id> reach() const {
    return how_ == sharing::hard ? std::span{own_} : std::span<const partition_id>{};
  }

  /// Hides other schedulers' partitions in a fresh view.
  void begin(view& seen);

  /// Returns the pick of `choose()` from `seen`, trying the own partitions first.
  template <class Choose>
  auto pick(view& seen, Choose choose) {
    if (how_ != sharing::soft)
      return choose();
    if (wide_ && has_room(seen))
      narrow(seen);
    auto picked = choose();
    if (picked || wide_)
      return picked;
    widen(seen);
    return choose();
  }

private:
  bool has_room(const view& seen) const;
  void narrow(view& seen);
  void widen(view& seen);

  sharing how_ = sharing::none;
  std::vector<partition_id> own_;
  std::vector<partition_id> others_;
  bool wide_ = true; ///< all partitions are shown
};

} // namespace troupe
