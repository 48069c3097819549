#pragma once

#include "model/cluster/machine_description.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace troupe {

/// The places of the machines of a cluster that grows, on the master's node. A machine that joins
/// gets a place in the partition that has least; it keeps the place while it is away. Not an actor.
///
/// A place keeps the attributes of its latest machine, because schedulers evaluate constraints for
/// places. Another machine gets a used place only after a rest. By then owners have given the
/// earlier machine up, so no message to the place is meant for the earlier machine, and all
/// schedulers know the new attributes.
class machine_places {
public:
  using clock = std::chrono::steady_clock;

  /// `partition_of` has the partition of each place. `rest` is longer than owners wait for silent
  /// machines, and than an owner may act without the master.
  machine_places(std::vector<std::uint32_t> partition_of, clock::duration rest);

  /// Takes a place for a machine and returns it. The machine gets `had`, its former place, if that
  /// is free and fits. Returns nothing if no place is free.
  std::optional<machine_id> take(const machine_description& machine, std::optional<machine_id> had,
                                 clock::time_point now);

  /// The machine at a place has come back, perhaps with another capacity. Returns whether it can
  /// keep the place: not with other attributes.
  bool keep(machine_id place, const machine_description& machine);

  /// A machine has left its place permanently.
  void leave(machine_id place, clock::time_point now);

  /// Accepts a node's knowledge of places that this restarted master does not know. A machine may
  /// still have such a place, so only this machine gets it until the place has rested.
  void believe(const std::vector<described_machine>& table, clock::time_point now);

  /// Counts places as vacant whose machines have not come back. To be called often. Returns whether
  /// there are any.
  bool settle(clock::time_point now);

  /// Returns the machine that should move to another partition so that partitions have as much as
  /// each other, of those that `may_move`; nothing if that would not help.
  std::optional<machine_id> to_move(const std::function<bool(machine_id)>& may_move,
                                    clock::time_point now) const;

  /// The places that a machine has taken at some time, by number.
  std::vector<described_machine> table() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  std::uint32_t taken() const { return taken_; }
  clock::duration rest() const { return rest_; }

private:
  struct place_state {
    bool known = false;   ///< a machine has taken it at some time
    bool taken = false;   ///< a machine has it
    bool awaited = false; ///< a machine that has not reported to this master may have it
    clock::time_point free_since{};
    machine_description is; ///< the latest machine
  };

  bool has_rested(const place_state& p, clock::time_point now) const {
    return now - p.free_since >= rest_;
  }
  bool is_free(const place_state& p, clock::time_point now) const {
    return !p.taken && (!p.known || has_rested(p, now));
  }
  std::int64_t load_of(std::uint32_t partition) const;
  std::optional<machine_id> best_in(std::uint32_t partition, const machine_description& machine,
                                    clock::time_point now) const;
  void put(machine_id where, const machine_description& machine);

  std::vector<std::uint32_t> partition_of_; ///< by place
  std::uint32_t partitions_ = 0;
  clock::duration rest_;
  std::vector<place_state> places_;
  std::uint32_t taken_ = 0;
};

} // namespace troupe
