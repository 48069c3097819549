#pragma once

#include "model/view.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace troupe {

/// How far a scheduler keeps to its own partitions.
enum class sharing : std::uint8_t {
  none, ///< all partitions are everyone's
  soft, ///< it looks elsewhere only where its own have no room
  hard, ///< it never looks elsewhere
};

/// Reads "none", "soft" or "hard"; anything else is none.
sharing sharing_of(std::string_view text);

/// The partitions that are a scheduler's own. It hides the others from the scheduler's view, so
/// that every policy keeps to them without knowing.
class own_share {
public:
  /// No partition is anyone's own.
  own_share() = default;

  own_share(sharing how, std::vector<partition_id> own) : how_(how), own_(std::move(own)) {}

  /// Deals the partitions out: p is the own one of scheduler p mod `schedulers`.
  static own_share dealt(sharing how, scheduler_id scheduler, std::uint32_t schedulers,
                         std::uint32_t partitions);

  sharing how() const { return how_; }
  const std::vector<partition_id>& own() const { return own_; }

  /// The only partitions that the scheduler ever looks at; empty: it may look at all.
  std::span<const partition_id> reach() const {
    return how_ == sharing::hard ? std::span{own_} : std::span<const partition_id>{};
  }

  /// Hides from a fresh view what is not the scheduler's own.
  void begin(view& seen);

  /// Returns what `choose()` picks from `seen`, among the own partitions first.
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
  bool wide_ = true; ///< everything is shown
};

} // namespace troupe
