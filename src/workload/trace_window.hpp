#pragma once

#include "settings/settings.hpp"
#include "workload/trace_tally.hpp"

#include <optional>
#include <string_view>

namespace troupe {

/// Which of a trace's jobs are used and when they are submitted in the run: what all formats have
/// in common.
class trace_window {
public:
  explicit trace_window(const trace_settings& settings) : settings_(settings) {}

  /// Returns whether a job submitted at `at`, a time of the trace, is in the window; counts it in
  /// `tally` if it is not.
  bool holds(duration at, trace_tally& tally) const;

  /// Returns whether a job with this name is in the sample; counts it if it is not.
  bool keeps(std::string_view name, trace_tally& tally) const;
  bool keeps(std::uint64_t number, trace_tally& tally) const;

  /// Returns when a job of the window is submitted in the run, or nothing if that is beyond 10^9 s.
  std::optional<instant> shifted(duration at) const;

  /// Returns how long a task runs that ran for `d` in the trace, at least 1 ns.
  duration shortened(duration d) const;

  /// Throws `std::runtime_error` at the end of a trace of which nothing is in the window.
  void check_end(const std::string& path, const trace_tally& tally) const;

private:
  bool keeps_hash(std::uint64_t hash, trace_tally& tally) const;

  trace_settings settings_;
};

/// Returns a hash that is the same on every platform.
std::uint64_t hash_of(std::string_view text);

/// Returns whether something with this hash belongs to a sample of the share `sample`.
bool in_sample(std::uint64_t hash, double sample);

} // namespace troupe
