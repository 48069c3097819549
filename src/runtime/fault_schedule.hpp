#pragma once

#include "model/fault.hpp"

#include <vector>

namespace troupe {

/// The moments at which members fail and are repaired, in their order. What befalls the network is
/// no part of it: links look at the clock themselves.
class fault_schedule {
public:
  struct edge {
    instant at{0};
    const fault* what = nullptr;
    bool begins = true; ///< or ends
  };

  /// `plan` must outlive the schedule.
  explicit fault_schedule(const std::vector<fault>& plan);

  /// When something happens next; `instant::max()` if nothing does any more.
  instant next() const { return over() ? instant::max() : edges_[taken_].at; }

  bool over() const { return taken_ == edges_.size(); }

  /// Returns what happens next, and goes on.
  const edge& take() { return edges_[taken_++]; }

private:
  std::vector<edge> edges_;
  std::size_t taken_ = 0;
};

} // namespace troupe
