#include "model/jobs/tenants.hpp"

#include <utility>

namespace troupe {

namespace {

/// Shares are quotients; equal shares must compare equal despite rounding.
constexpr double tolerance = 1e-9;

} // namespace

bool within_maximum(const resource_sum& used, const resource_sum& demand,
                    const resource_sum& capacity, double max) {
  if (max >= 1)
    return true;
  auto all = used;
  return dominant_share(all += demand, capacity) <= max + tolerance;
}

resource_sum total_capacity(const catalog& machines) {
  resource_sum all;
  for (machine_id m = 0; m < machines.machines(); ++m)
    all += machines.machine(m).capacity;
  return all;
}

tenant_shares::tenant_shares(std::vector<tenant_quota> quotas, const resource_sum& capacity,
                             std::size_t owners, bool grows)
  : quotas_(std::move(quotas)),
    capacity_(capacity),
    grows_(grows),
    by_owner_(quotas_.size() * owners),
    total_(quotas_.size()),
    shares_(quotas_.size()) {}

void tenant_shares::set_capacity(const resource_sum& capacity) {
  capacity_ = capacity;
  for (std::uint32_t t = 0; t < quotas_.size(); ++t)
    recount(t);
}

void tenant_shares::assign(std::uint32_t owner, std::span<const resource_sum> used) {
  for (std::uint32_t t = 0; t < quotas_.size() && t < used.size(); ++t) {
    total_[t] -= at(owner, t);
    at(owner, t) = used[t];
    total_[t] += used[t];
    recount(t);
  }
}

void tenant_shares::charge(std::uint32_t owner, std::uint32_t tenant, const resources& demand) {
  at(owner, tenant) += demand;
  total_[tenant] += demand;
  recount(tenant);
}

void tenant_shares::refund(std::uint32_t owner, std::uint32_t tenant, const resources& demand) {
  at(owner, tenant) -= demand;
  total_[tenant] -= demand;
  recount(tenant);
}

bool tenant_shares::may_use(std::uint32_t tenant, const resources& demand) const {
  return may_use(tenant, resource_sum{} + demand);
}

bool tenant_shares::may_use(std::uint32_t tenant, const resource_sum& demand) const {
  return within_maximum(total_[tenant], demand, capacity_, quotas_[tenant].max);
}

double tenant_shares::use_of_due(std::uint32_t tenant) const {
  double weights = 0;
  for (const auto& q : quotas_)
    weights += q.weight;
  return shares_[tenant] * weights / quotas_[tenant].weight;
}

bool tenant_shares::could_use(std::uint32_t tenant, const resource_sum& demand) const {
  return within_maximum({}, demand, capacity_, quotas_[tenant].max);
}

bool tenant_shares::goes_before(std::uint32_t a, std::uint32_t b) const {
  const bool a_is_short = shares_[a] < quotas_[a].min - tolerance;
  const bool b_is_short = shares_[b] < quotas_[b].min - tolerance;
  if (a_is_short != b_is_short)
    return a_is_short;
  return shares_[a] * quotas_[b].weight < shares_[b] * quotas_[a].weight * (1 - tolerance);
}

} // namespace troupe
