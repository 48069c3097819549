#pragma once

#include "model/base/ids.hpp"
#include "model/cluster/machine_description.hpp"
#include "model/jobs/constraint.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace troupe {

/// The machines of a cluster that grows, as far as a process knows them. Such a cluster has a fixed
/// number of places. A machine that joins takes a place and its number, and gives them back when it
/// leaves. A place keeps the attributes of its latest machine, so results that were evaluated for a
/// place change only when another machine takes it.
///
/// May be used by any thread.
class growing_machines {
public:
  using attributes = std::map<std::string, std::string>;

  explicit growing_machines(std::uint32_t places) : places_(places) {}

  std::uint32_t places() const { return static_cast<std::uint32_t>(places_.size()); }

  /// Sets the state of places. Places that are not named, or do not exist, keep their state.
  void set(const std::vector<described_machine>& known);

  /// The number of changes of attributes so far.
  std::uint64_t version() const { return version_; }

  /// Returns the places whose attributes have changed since a version, once for each change.
  std::vector<machine_id> changed_since(std::uint64_t version) const;

  /// Returns whether the attributes of a place meet all constraints. Those of a place that no
  /// machine has taken meet none, not even that an attribute is absent.
  bool meets(machine_id place, const std::vector<constraint>& all) const;

  /// Returns whether no machine has the place.
  bool vacant(machine_id place) const;

  attributes attributes_of(machine_id place) const;

  /// What the machines have, by place, as they said; nothing where no machine is.
  std::vector<resources> capacities() const;

  /// The same for one place.
  resources capacity_of(machine_id place) const;

  /// The number of changes of capacities so far.
  std::uint64_t capacity_version() const { return capacity_version_; }

  /// The number of places that have a machine.
  std::uint32_t taken() const;

private:
  struct place_state {
    bool known = false; ///< a machine has taken it at some time
    bool vacant = true;
    attributes has;
    resources capacity;
  };

  mutable std::mutex mutex_; ///< guards the following members
  std::vector<place_state> places_;
  std::vector<machine_id> changes_;
  std::atomic<std::uint64_t> version_{0}; ///< the number of `changes_`
  std::atomic<std::uint64_t> capacity_version_{0};
};

} // namespace troupe
