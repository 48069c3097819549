#pragma once

#include "jobs/job_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace troupe::trials {

/// Submissions while the node that keeps the jobs is killed again and again. With a database,
/// another one keeps them then.
struct kills_plan {
  std::uint32_t kills = 100;
  std::uint32_t submissions = 1'000; ///< for each kill, which comes after a random number of them
  std::uint32_t clients = 4;         ///< that submit at the same time
  std::uint64_t seed = 1;
  /// Of the kills, each with this number ends the server of the database instead; 0: none does.
  std::uint32_t database_every = 0;
  /// Ends that server at once, and starts it again.
  std::function<void()> kill_database{};
};

struct kills_figures {
  std::uint64_t answered = 0;   ///< submissions; each was repeated with its key until it was
  std::uint64_t repeated = 0;   ///< questions without an answer
  std::uint64_t stored = 0;     ///< jobs
  std::uint64_t lost = 0;       ///< submissions whose job is not there, or is another
  std::uint64_t twice = 0;      ///< jobs of a submission that has another one, too
  std::uint64_t unfinished = 0; ///< jobs that did not succeed
  std::chrono::milliseconds longest_gap{0}; ///< from a kill to the next answer
  std::vector<std::string> damage;          ///< of the store
};

/// Starts the cluster, submits jobs with one command, kills, starts again, waits for the ends of
/// all jobs, and compares the store with the answers. Throws `std::runtime_error` if an expected
/// state does not come.
kills_figures try_kills(const jobs_plan& cluster, const kills_plan& plan);

/// Returns whether every answered submission is there, once, and has succeeded.
bool is_good(const kills_figures& f);

} // namespace troupe::trials
