#pragma once

#include <cstdint>
#include <cstdio>
#include <sys/resource.h>

namespace troupe::peers {

/// The sums that a peer prints, to show that its work is comparable to Troupe's.
struct peer_figures {
  std::uint64_t tasks = 0; ///< placed
  double delay = 0;        ///< sum of the scheduling delays, in s
  std::uint64_t conflicts = 0;
  double quality = 0;     ///< sum of the scores
  std::uint64_t jobs = 0; ///< finished
  double response = 0;    ///< sum of the response times of these jobs, in s
};

inline double mean_of(double sum, std::uint64_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// The CPU time of this process so far, in s.
inline double cpu_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Prints the figures as one line of JSON, which `peers_bench` reads.
inline void print(const peer_figures& f) {
  std::printf("{\"tasks\": %llu, \"delay_s\": %.6f, \"conflicts\": %llu, \"quality\": %.4f, "
              "\"jobs\": %llu, \"response_s\": %.4f, \"cpu_s\": %.3f}\n",
              static_cast<unsigned long long>(f.tasks), mean_of(f.delay, f.tasks),
              static_cast<unsigned long long>(f.conflicts), mean_of(f.quality, f.tasks),
              static_cast<unsigned long long>(f.jobs), mean_of(f.response, f.jobs), cpu_seconds());
}

} // namespace troupe::peers
