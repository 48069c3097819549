#pragma once

#include "jobs/store/rows.hpp"
#include "model/cluster/machine_description.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace troupe {

/// A host that is a machine, and has not left.
struct named_machine {
  std::string node;
  machine_description is;
  bool present = true; ///< its node is connected
};

/// Which machines a cluster for jobs has and had, as rows for its store. It is not an actor.
class machine_history {
public:
  machine_history() = default;

  /// `open`: the machines that were there by the store; those that do not come back soon have left.
  explicit machine_history(const std::vector<machine_row>& open);

  /// The cluster has these machines now, by UTC. Returns the changes since the last call: new rows,
  /// and rows of machines that have left, have been away for long, or have been replaced.
  std::vector<machine_row> look(const std::vector<named_machine>& all, std::int64_t now_ms);

private:
  struct entry {
    machine_row row;
    bool seen = false;             ///< in a call, and not only in the store
    std::int64_t missed_since = 0; ///< 0: it is there
  };

  std::map<std::string, entry> open_; ///< by node
};

} // namespace troupe
