#pragma once

#include "hunt/seed_range.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace troupe {

/// Totals over the runs of all seeds of a hunt.
struct hunt_totals {
  std::uint64_t seeds = 0;
  std::uint64_t faults = 0;
  std::uint64_t tasks = 0;
  std::uint64_t starts = 0;
  std::uint64_t messages = 0;
  std::uint64_t failed = 0;

  /// Adds a run: one that did not fail, or a failed one before it is counted in `failed`.
  template <class Outcome>
  void add(const Outcome& run) {
    ++seeds;
    faults += run.faults.size();
    tasks += run.tasks;
    starts += run.starts;
    messages += run.messages;
  }
};

/// Calls `run(worker, seed)` for all seeds of a range in `jobs` threads, which are the workers 0 to
/// `jobs` - 1, until a signal arrives. `run` returns what to print about the seed, or an empty
/// text. Shows progress on standard error, and what `run` returns on `findings`.
void for_each_seed(const seed_range& range, unsigned jobs, std::ostream& findings,
                   const std::function<std::string(unsigned, std::uint64_t)>& run);

/// Returns the totals as JSON; see docs/json.md.
nlohmann::ordered_json totals_json(const std::string& name, const hunt_totals& sum,
                                   std::chrono::duration<double> took);

/// Prints one line of totals to standard output. `more` follows the number of seeds.
void print_totals(const std::string& name, const hunt_totals& sum, const std::string& more,
                  std::chrono::duration<double> took);

/// Prints that no seed has failed, unless a signal ended the hunt; returns the exit code.
int end_without_failure();

} // namespace troupe
