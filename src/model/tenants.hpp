#pragma once

#include "model/catalog.hpp"
#include "model/resource_sum.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// What a tenant is due, as dominant shares of the cluster's capacity (1 is all of it).
struct tenant_quota {
  double weight = 1; ///< its part, relative to the other tenants'
  double min = 0;    ///< while it has less than this, it goes before those that have theirs
  double max = 1;    ///< it is given no more than this

  friend bool operator==(const tenant_quota&, const tenant_quota&) = default;
};

/// What the tenants use of the cluster, as far as one scheduler knows: what each owner told last,
/// and what the scheduler has decided on since. It says whose turn it is: first those who have less
/// than their minimum, then by the lowest weighted dominant share (Ghodsi et al., Dominant Resource
/// Fairness, NSDI 2011; minimum and maximum as in Fuxi's quota groups: guaranteed under pressure,
/// the rest lent while it is idle).
class tenant_shares {
public:
  /// `capacity` is what shares are shares of.
  tenant_shares(std::vector<tenant_quota> quotas, const resource_sum& capacity, std::size_t owners);

  /// Replaces what an owner's machines run, by tenant, and forgets what was charged to them.
  void assign(std::uint32_t owner, std::span<const resource_sum> used);

  /// Adds what was decided on for a tenant on an owner's machines.
  void charge(std::uint32_t owner, std::uint32_t tenant, const resources& demand);

  /// Takes back what was charged, or frees what the owner told of.
  void refund(std::uint32_t owner, std::uint32_t tenant, const resources& demand);

  /// Returns whether a tenant may be given `demand` more: whether its maximum allows it.
  bool may_use(std::uint32_t tenant, const resources& demand) const;

  /// Returns whether its maximum would allow a tenant `demand` if it had nothing else.
  bool could_use(std::uint32_t tenant, const resource_sum& demand) const;

  /// Returns whether tenant `a` is to be served before `b`; between equals, neither.
  bool goes_before(std::uint32_t a, std::uint32_t b) const;

  /// The dominant share that a tenant is believed to have.
  double share(std::uint32_t tenant) const { return shares_[tenant]; }

private:
  resource_sum& at(std::uint32_t owner, std::uint32_t tenant) {
    return by_owner_[owner * quotas_.size() + tenant];
  }

  void recount(std::uint32_t tenant) {
    shares_[tenant] = dominant_share(total_[tenant], capacity_);
  }

  std::vector<tenant_quota> quotas_;
  resource_sum capacity_;
  std::vector<resource_sum> by_owner_; ///< of each owner in turn, by tenant
  std::vector<resource_sum> total_;    ///< by tenant
  std::vector<double> shares_;         ///< by tenant
};

/// Returns the capacity of all machines together, or of those of some partitions.
resource_sum total_capacity(const catalog& machines);
resource_sum total_capacity(const catalog& machines, std::span<const partition_id> partitions);

} // namespace troupe
