#pragma once

#include "actors/owner/owned_partitions.hpp"
#include "model/metrics/metrics.hpp"

namespace troupe {

/// Counts the actions of an owner, and integrates over time the capacity and the use of its
/// machines, for the samples of the recorder.
class owner_meter {
public:
  /// Integrates from `now` on.
  explicit owner_meter(instant now) : until_(now) {}

  /// Integrates up to `now`. Call this before each change of the partitions.
  void advance(const owned_partitions& of, instant now) {
    if (now > until_)
      integrate(of, now);
  }

  /// The counts and integrals since the last sample.
  owner_sample& counts() { return sample_; }
  const owner_sample& counts() const { return sample_; }

  /// Returns a sample up to `now`, and starts the next one.
  owner_sample take(const owned_partitions& of, instant now);

private:
  void integrate(const owned_partitions& of, instant now);

  owner_sample sample_;
  instant until_;
};

} // namespace troupe
