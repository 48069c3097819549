#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// Finds frameworks whose gangs starve although there is room for them: the parts of a cluster that
/// a gang needs are offered one after the other, by turns with other frameworks, and are never free
/// at the same time. The allocator then offers nothing to any framework until the resources under
/// offer have come back, and offers all of them to one such framework.
class gang_starvation {
public:
  /// A gang that could have been placed for so long starves.
  static constexpr duration patience = std::chrono::seconds{30};
  /// What is under offer is waited for at most as long, and for this many rounds of offers at
  /// least; an offer that has been open for longer does not count as room, unless it is hoarded.
  static constexpr duration longest_wait = std::chrono::seconds{2};
  static constexpr std::uint32_t least_rounds = 3;

  explicit gang_starvation(std::size_t frameworks) : since_(frameworks) {}

  /// Notes, in a round of offers, whether a gang of a framework has room in the free resources and
  /// those under offer together.
  void note(scheduler_id framework, bool has_room, instant now);

  /// Notes that a framework was offered all that is free.
  void offered_all(scheduler_id framework, instant now);

  /// Returns the framework for which offers are held back in this round, if any. To be called once
  /// in each round.
  std::optional<scheduler_id> waits_for(instant now);

  /// Returns whether offers are held back since the last round.
  bool holds_back() const { return for_.has_value(); }

private:
  std::vector<std::optional<instant>> since_; ///< when its gangs began to have room, by framework
  std::optional<scheduler_id> for_;           ///< offers are held back for it
  instant began_{0};
  std::uint32_t rounds_ = 0;
};

} // namespace troupe
