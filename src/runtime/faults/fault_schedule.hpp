#pragma once

#include "model/protocol/fault.hpp"

#include <vector>

namespace troupe {

/// The instants at which members fail and recover, in order. Failures of the network are not
/// included: links check the clock themselves.
class fault_schedule {
public:
  struct edge {
    instant at{0};
    const fault* what = nullptr;
    bool begins = true; ///< the failure begins; else it ends
  };

  /// `plan` must outlive the schedule.
  explicit fault_schedule(const std::vector<fault>& plan);

  /// The instant of the next edge; `instant::max()` if there is none.
  instant next() const { return over() ? instant::max() : edges_[taken_].at; }

  bool over() const { return taken_ == edges_.size(); }

  /// Returns the next edge and advances.
  const edge& take() { return edges_[taken_++]; }

private:
  std::vector<edge> edges_;
  std::size_t taken_ = 0;
};

} // namespace troupe
