#pragma once

#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

namespace troupe {

/// The tasks that run as far as their scheduler knows, or are about to, and when they are expected
/// to end. A task that outlives its estimate is expected to end at any moment.
class expected_runs {
public:
  struct run {
    instant end{0}; ///< expected
    resources demand;
  };

  /// What is released at an instant.
  struct release {
    resource_sum amount;
    std::uint32_t tasks = 0;
  };

  expected_runs() = default;
  expected_runs(expected_runs&&) = default;
  expected_runs& operator=(expected_runs&&) = default;

  /// Notes that a task runs. Returns false, and changes nothing, if it did before.
  bool begin(const task_id& task, const run& what);

  /// Notes that a task does not run any more. Returns its entry; nothing if it was not known to
  /// run.
  std::optional<run> end(const task_id& task);

  /// What they hold together.
  const resource_sum& held() const { return held_; }

  /// What they release, by expected end.
  const std::map<instant, release>& ends() const { return ends_; }

  /// Returns the next expected end after an instant, or nothing.
  std::optional<instant> next_end(instant after) const;

private:
  using release_map = std::map<instant, release>;

  struct known_run {
    run what;
    release_map::iterator at; ///< where it is among the ends
  };

  std::unordered_map<task_id, known_run> runs_;
  release_map ends_;
  std::optional<release_map::iterator> latest_; ///< of the latest run: those of a gang agree
  resource_sum held_;
};

} // namespace troupe
