#include "hunt/seed_hunt.hpp"

#include "commands/commands.hpp"
#include "report/seed_progress.hpp"
#include "support/signals.hpp"

#include <fmt/core.h>

#include <atomic>
#include <iostream>
#include <thread>
#include <unistd.h>
#include <vector>

namespace troupe {

void for_each_seed(const seed_range& range, unsigned jobs,
                   const std::function<std::string(unsigned, std::uint64_t)>& run) {
  seed_progress progress{range.last - range.first + 1, std::cerr, std::cout,
                         isatty(STDERR_FILENO) != 0 ? progress_style::refreshed
                                                    : progress_style::plain};
  std::atomic<std::uint64_t> next{range.first};
  const auto work = [&](unsigned worker) {
    for (auto seed = next++; seed <= range.last && caught_signal() == 0; seed = next++)
      progress.done(run(worker, seed));
  };
  std::vector<std::thread> others;
  for (unsigned j = 1; j < jobs; ++j)
    others.emplace_back(work, j);
  work(0);
  for (auto& t : others)
    t.join();
  progress.clear();
}

void print_totals(const std::string& name, const hunt_totals& sum, const std::string& more,
                  std::chrono::duration<double> took) {
  std::cout << fmt::format(
                 "{}: {} seeds{}, {} failures, {} tasks, {} starts, {} messages, {:.1f} s", name,
                 sum.seeds, more, sum.faults, sum.tasks, sum.starts, sum.messages, took.count())
            << std::endl;
}

int end_without_failure() {
  if (caught_signal() != 0)
    return 128 + caught_signal();
  std::cout << "every invariant held\n";
  return exit_code::done;
}

} // namespace troupe
