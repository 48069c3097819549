#pragma once

#include "model/base/distribution.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/metrics/job_classes.hpp"
#include "model/metrics/processor_use.hpp"
#include "model/records/records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// The usual metrics of parallel jobs, for the jobs that were placed and have ended: waits,
/// responses and bounded slowdowns, of all jobs, by width and by estimate, and the use of the
/// processors.
///
/// A job waits from its submission until its first task is placed, and runs from then until its
/// last task has ended; response = wait + run. Its bounded slowdown is
/// max(1, response / max(run, 10 s)) (Feitelson, Rudolph: Metrics and Benchmarking for Parallel Job
/// Scheduling, JSSPP 1998). Keeps 32 bytes for each job.
class parallel_jobs {
public:
  struct figures {
    distribution wait;     ///< in s
    distribution response; ///< in s
    distribution slowdown; ///< bounded
  };

  /// Jobs submitted before `warmup` are left out of waits, responses and slowdowns.
  explicit parallel_jobs(instant warmup = instant{0}) : warmup_(warmup) {}

  /// Adds a job that is over or, at the end of the run, one that is not.
  void add(const job_record& what);

  const figures& all() const { return all_; }
  const figures& of_width(std::size_t index) const { return by_width_[index]; }
  const figures& of_estimate(std::size_t index) const { return by_estimate_[index]; }

  /// Jobs that were not over at the end.
  std::uint64_t open() const { return open_; }

  /// The kind of resource that counts as processors: the first of slots, cores and cards for which
  /// the first job asks; nothing without a job.
  std::optional<resource> processors() const { return kind_; }

  /// The use of this amount of processors; nothing if a job of several tasks was no gang, since it
  /// may have held fewer processors than it has tasks.
  std::optional<processor_use> use(double of) const;

private:
  void add_figures(const job_record& what);

  instant warmup_;
  figures all_;
  std::array<figures, width_classes.size()> by_width_;
  std::array<figures, estimate_classes.size()> by_estimate_;
  std::vector<job_span> spans_;
  std::uint64_t open_ = 0;
  std::optional<resource> kind_;
  bool any_loose_ = false; ///< a job of several tasks was no gang
};

} // namespace troupe
