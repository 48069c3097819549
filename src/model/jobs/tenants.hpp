#pragma once

#include "model/base/resource_sum.hpp"
#include "model/cluster/catalog.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// The entitlement of a tenant, as dominant shares of the cluster's capacity (1 is all of it).
struct tenant_quota {
  double weight = 1; ///< relative to the other tenants' weights
  double min = 0;    ///< below this share it goes before tenants that have their minimum
  double max = 1;    ///< it gets no more than this

  friend bool operator==(const tenant_quota&, const tenant_quota&) = default;
};

/// The use of the cluster by each tenant, as far as one scheduler knows: the last report of each
/// owner, and the scheduler's decisions since. It orders the tenants: first those
/// below their minimum, then by the lowest weighted dominant share (Ghodsi et al., Dominant
/// Resource Fairness, NSDI 2011; minimum and maximum as in Fuxi's quota groups: guaranteed under
/// pressure, the rest lent while it is idle).
class tenant_shares {
public:
  /// Shares are relative to `capacity`. `grows`: machines may come, so it may become greater.
  tenant_shares(std::vector<tenant_quota> quotas, const resource_sum& capacity, std::size_t owners,
                bool grows = false);

  /// Measures shares by another capacity from now on.
  void set_capacity(const resource_sum& capacity);

  /// Replaces the use of an owner's machines, by tenant, and forgets the charges to them.
  void assign(std::uint32_t owner, std::span<const resource_sum> used);

  /// Charges a decision for a tenant to an owner's machines.
  void charge(std::uint32_t owner, std::uint32_t tenant, const resources& demand);

  /// Takes back a charge, or frees resources that the owner had reported.
  void refund(std::uint32_t owner, std::uint32_t tenant, const resources& demand);

  /// Returns whether a tenant's maximum allows it `demand` more.
  bool may_use(std::uint32_t tenant, const resources& demand) const;

  bool may_use(std::uint32_t tenant, const resource_sum& demand) const;

  /// What a tenant uses, as a multiple of its part of all weights.
  double use_of_due(std::uint32_t tenant) const;

  /// Returns whether a tenant's maximum would allow it `demand` now if it had nothing else.
  bool could_use(std::uint32_t tenant, const resource_sum& demand) const;

  /// Returns whether a tenant's maximum may allow it `demand` at some time.
  bool may_ever_use(std::uint32_t tenant, const resource_sum& demand) const {
    return grows_ || could_use(tenant, demand);
  }

  /// Returns whether tenant `a` is to be served before `b`; if they are equal, neither is.
  bool goes_before(std::uint32_t a, std::uint32_t b) const;

  /// The estimated dominant share of a tenant.
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
  bool grows_;
  std::vector<resource_sum> by_owner_; ///< by owner, then by tenant
  std::vector<resource_sum> total_;    ///< by tenant
  std::vector<double> shares_;         ///< by tenant
};

/// Returns whether a maximum, a dominant share of the capacity, admits `demand` beside what is
/// used.
bool within_maximum(const resource_sum& used, const resource_sum& demand,
                    const resource_sum& capacity, double max);

/// Returns the capacity of all machines together by the catalog; see also `present_capacity`.
resource_sum total_capacity(const catalog& machines);

} // namespace troupe
