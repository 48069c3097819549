#include "actors/offers/offer_meter.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

resource_sum lesser(resource_sum a, const resource_sum& b) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    a.amount[k] = std::min(a.amount[k], b.amount[k]);
  return a;
}

} // namespace

offer_meter::offer_meter(std::vector<std::uint32_t> group_of, const resource_sum& capacity)
  : group_of_(std::move(group_of)), capacity_(capacity) {
  const auto groups =
    group_of_.empty() ? 0 : 1 + *std::max_element(group_of_.begin(), group_of_.end());
  locked_.resize(groups + 1);
  samples_.resize(groups + 1);
  members_.resize(groups + 1);
  for (const auto group : group_of_) {
    ++members_[group];
    ++members_.back();
  }
}

void offer_meter::lock(std::uint32_t group, const resource_sum& total) {
  locked_[group] += total;
  locked_.back() += total;
}

void offer_meter::unlock(std::uint32_t group, const resource_sum& total) {
  locked_[group] -= total;
  locked_.back() -= total;
}

void offer_meter::account(const resource_sum& all_free, const drf& shares, instant now) {
  const auto elapsed = to_seconds(now - accounted_);
  if (elapsed <= 0)
    return;
  // What was used of an open offer and has become free again is locked no more.
  auto not_free = capacity_;
  not_free -= all_free;
  for (std::size_t g = 0; g < samples_.size(); ++g) {
    auto& sample = samples_[g];
    const auto locked = dominant_share(lesser(locked_[g], not_free), capacity_);
    sample.seconds += elapsed;
    sample.locked_seconds += locked * elapsed;
    sample.locked_max = std::max(sample.locked_max, locked);
  }
  const auto add = [&](std::size_t g, double share) {
    samples_[g].share_seconds += share * elapsed / members_[g];
    samples_[g].share_max = std::max(samples_[g].share_max, share);
  };
  for (scheduler_id f = 0; f < group_of_.size(); ++f) {
    add(group_of_[f], shares.share(f));
    add(samples_.size() - 1, shares.share(f));
  }
  accounted_ = now;
}

allocator_status offer_meter::take() {
  allocator_status status;
  status.all = samples_.back();
  for (std::size_t g = 0; g + 1 < samples_.size(); ++g) {
    auto& all = status.all;
    const auto& one = samples_[g];
    all.made += one.made;
    all.accepted += one.accepted;
    all.declined += one.declined;
    all.timed_out += one.timed_out;
    all.rescinded += one.rescinded;
    status.groups.push_back(one);
  }
  samples_.assign(samples_.size(), {});
  return status;
}

} // namespace troupe
