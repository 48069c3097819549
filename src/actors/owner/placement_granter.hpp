#pragma once

#include "actors/owner/owned_partitions.hpp"

#include <optional>
#include <vector>

namespace troupe {

/// Returns rejections of all placements of a commit.
std::vector<rejection> rejections_of_all(const commit_request& wanted, conflict_cause cause);

/// Decides on the placements of one commit: first come, first served, each on its own or all
/// together. If a machine refuses a placement, its alternatives are tried in turn.
class placement_granter {
public:
  /// The results of a decision are appended to these.
  struct results {
    commit_reply& reply;                     ///< rejections, and the machines of alternatives
    std::vector<granted_placement>& granted; ///< in the order of the commit
    std::vector<evicted_task>& evicted;      ///< in the order of the granted placements
  };

  placement_granter(owned_partitions& on, const commit_request& wanted, instant now, results to)
    : on_(&on), wanted_(&wanted), now_(now), to_(to) {}

  /// Grants or refuses each placement.
  void grant_each();

  /// Grants all placements and returns true, or undoes what was granted and refuses all.
  bool grant_together();

private:
  bool is_closed_to(const placement& wanted) const;
  std::optional<rejection> grant(const placement& wanted);
  std::optional<rejection> grant_somewhere(std::uint32_t index);

  owned_partitions* on_;
  const commit_request* wanted_;
  instant now_;
  results to_;
  std::vector<partition_state::claim> before_; ///< the claims before each grant, to undo it
};

} // namespace troupe
