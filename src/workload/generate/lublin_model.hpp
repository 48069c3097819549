#pragma once

#include "model/base/random.hpp"
#include "model/base/time.hpp"
#include "settings/schema/workload_settings.hpp"

#include <array>
#include <cstdint>

namespace troupe {

/// The parameters of one kind of jobs in the model of Lublin and Feitelson.
struct lublin_parameters {
  // Sizes. The logarithm (to base 2) of the size of a parallel job is uniform in [low, medium] with
  // probability `first`, else in [medium, high].
  double serial = 0;       ///< share of serial jobs
  double power_of_two = 0; ///< share of all jobs: parallel ones with a power of two
  double low = 0;          ///< log2 of the least size
  double medium_below = 0; ///< log2 of the system's size less the medium
  double high_below = 0;   ///< log2 of the system's size less the greatest
  double first = 0;
  // Run times. The natural logarithm of the seconds has the distribution gamma(a1, b1) with
  // probability slope * size + offset, else gamma(a2, b2).
  double a1 = 0, b1 = 0, a2 = 0, b2 = 0;
  double slope = 0, offset = 0;
  // Arrivals. The logarithm of the seconds between two is gamma(arrival_a * arrival_all, arrival_b)
  // if all hours were alike; the share of a half hour in the arrivals of a day is that of gamma(
  // day_a, day_b).
  double arrival_a = 0, arrival_b = 0, arrival_all = 1;
  double day_a = 0, day_b = 0;
};

/// The parameters that the authors have fitted to logs of the Parallel Workloads Archive.
const lublin_parameters& lublin_parameters_of(lublin_jobs kind);

/// The sizes and run times of rigid jobs by the model of Lublin and Feitelson (The workload on
/// parallel supercomputers: modeling the characteristics of rigid jobs, JPDC 63(11), 2003): sizes
/// with many serial jobs and powers of two, and run times that are correlated with them.
class lublin_model {
public:
  /// `processors`: of the system, at least 2.
  lublin_model(lublin_jobs kind, std::uint32_t processors);

  /// Draws the size of a job, from 1 to the size of the system.
  std::uint32_t draw_size(random_stream& random) const;

  /// Draws the run time of a job of this size, 1 s to 45 h.
  duration draw_runtime(std::uint32_t size, random_stream& random) const;

private:
  lublin_parameters with_;
  std::uint32_t processors_;
  double low_ = 0;
  double medium_ = 0;
  double high_ = 0;
};

/// The arrivals of jobs by that model: a process with gamma-distributed logarithms of the times
/// between jobs, whose speed follows a daily cycle.
class lublin_arrivals {
public:
  /// Times between jobs are multiplied by `factor`. The first instant is `time_of_day` after
  /// midnight.
  lublin_arrivals(lublin_jobs kind, double factor, duration time_of_day, random_stream random);

  /// Returns the next instant, 10^9 s at the latest.
  instant next();

  /// The speed of arrivals in each half hour of the day; the mean is 1.
  static std::array<double, 48> speeds_of(const lublin_parameters& with);

private:
  const lublin_parameters& with_;
  double factor_;
  random_stream random_;
  std::array<double, 48> speeds_;
  std::size_t slot_; ///< half hour of the day
  double left_;      ///< of that, in s
  double now_ = 0;   ///< in s
};

} // namespace troupe
