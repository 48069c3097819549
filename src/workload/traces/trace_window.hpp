#pragma once

#include "settings/schema/settings.hpp"
#include "workload/traces/trace_tally.hpp"

#include <optional>
#include <string_view>

namespace troupe {

/// Selects a trace's jobs and determines their submission in the run, for all formats.
class trace_window {
public:
  explicit trace_window(const trace_settings& settings) : settings_(settings) {}

  /// Returns whether a job submitted at `at`, a time of the trace, is in the window; counts it in
  /// `tally` if it is not.
  bool holds(duration at, trace_tally& tally) const;

  /// Returns whether a job with this name is in the sample; counts it if it is not.
  bool keeps(std::string_view name, trace_tally& tally) const;
  bool keeps(std::uint64_t number, trace_tally& tally) const;

  /// Returns the submission of a job of the window in the run, or nothing if it is beyond 10^9 s.
  std::optional<instant> shifted(duration at) const;

  /// Returns how long a time between submissions of the trace is in the run, at most 10^9 s.
  duration stretched(duration d) const;

  /// Returns the duration of a task that ran for `d` in the trace, at least 1 ns.
  duration shortened(duration d) const;

  /// Throws `std::runtime_error` at the end of a trace without jobs in the window.
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
