#pragma once

#include <array>

namespace troupe {

/// A run in virtual time that shows the compiler where programs spend their time.
struct training_run {
  const char* config;
  const char* setting; ///< that is another here
};

/// Each architecture, at the sizes of E2 and of a small cluster, and a cluster with failures.
inline constexpr std::array training_runs{
  training_run{"configs/quickstart.toml", "duration=60s"},
  training_run{"configs/experiments/e2/latency-first.toml", "duration=20s"},
  training_run{"configs/experiments/e2/quality-first.toml", "duration=20s"},
  training_run{"configs/experiments/e2/adaptive.toml", "duration=20s"},
  training_run{"configs/experiments/e2/statesync.toml", "duration=20s"},
  training_run{"configs/compare/statesync.toml", "duration=60s"},
  training_run{"configs/compare/two-level.toml", "duration=60s"},
  training_run{"configs/compare/static.toml", "duration=60s"},
  training_run{"configs/compare/monolithic.toml", "duration=60s"},
  training_run{"configs/compare/sparrow.toml", "duration=60s"},
  training_run{"configs/compare/hybrid.toml", "duration=60s"},
  training_run{"configs/failures.toml", "duration=120s"},
};

} // namespace troupe
