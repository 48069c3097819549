#pragma once

#include "actors/protocol/messages.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace troupe {

/// Adds the later counts of a scheduler to its earlier ones.
inline void follow(scheduler_status& before, const scheduler_status& later) {
  before.idle = later.idle;
  before.places = later.places;
  before.details = later.details;
  for (const auto& part : later.samples) {
    const auto of = std::ranges::find(before.samples, part.group, &group_sample::group);
    if (of == before.samples.end()) {
      before.samples.push_back(part);
      continue;
    }
    auto both = part.sample; // the later status has the waiting and running tasks of now
    both.merge_growing(of->sample);
    of->sample = std::move(both);
  }
}

/// Likewise, of an owner.
inline void follow(owner_status& before, const owner_status& later) {
  auto& sample = before.sample;
  sample.machines = sample.running = 0;
  sample.capacity_weight = 0;
  for (auto& t : sample.tenants)
    t.now = {};
  sample.merge(later.sample);
  auto partitions = later.partitions;
  for (std::size_t p = 0; p < std::min(partitions.size(), before.partitions.size()); ++p)
    partitions[p].add_counts(before.partitions[p]);
  before.partitions = std::move(partitions);
}

/// Likewise, of an allocator.
inline void follow(allocator_status& before, const allocator_status& later) {
  before.all.merge(later.all);
  before.groups.resize(std::max(before.groups.size(), later.groups.size()));
  for (std::size_t g = 0; g < later.groups.size(); ++g)
    before.groups[g].merge(later.groups[g]);
}

/// Keeps the counts of a member until the recorder has acknowledged them, so that a lost or late
/// answer costs nothing: the next one includes its counts.
template <class Status>
class unheard {
public:
  /// Returns `now`, the counts since the last call, added to all counts that the recorder has not
  /// received; `heard` is the last answer that it has received, `incarnation` the member's
  /// incarnation.
  Status tell(const sample_mark& heard, incarnation_id incarnation, Status now) {
    if (heard.incarnation == incarnation)
      while (!kept_.empty() && kept_.front().first <= heard.number)
        kept_.pop_front();
    if (kept_.size() == most_kept) {
      // The recorder acknowledges answers with its next question, and it acknowledges none of
      // these.
      follow(kept_[0].second, kept_[1].second);
      std::swap(kept_[0].second, kept_[1].second);
      kept_.pop_front();
    }
    kept_.emplace_back(++number_, std::move(now));
    auto all = kept_.front().second;
    for (auto it = kept_.begin() + 1; it != kept_.end(); ++it)
      follow(all, it->second);
    all.mark = {incarnation, number_};
    return all;
  }

private:
  static constexpr std::size_t most_kept = 16;

  std::uint64_t number_ = 0;
  std::deque<std::pair<std::uint64_t, Status>> kept_; ///< by number
};

} // namespace troupe
