#include "hunt/seed_hunt.hpp"

#include "commands/commands.hpp"
#include "report/progress/seed_progress.hpp"
#include "report/text/text.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace troupe {

void for_each_seed(const seed_range& range, unsigned jobs, std::ostream& findings,
                   const std::function<std::string(unsigned, std::uint64_t)>& run) {
  const auto seeds = range.last - range.first + 1;
  if (seeds > 1)
    std::cerr << count_text(seeds) << " seeds, " << std::min<std::uint64_t>(jobs, seeds)
              << " at a time" << std::endl;
  seed_progress progress{range.last - range.first + 1, std::cerr, findings, progress_on_stderr()};
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

nlohmann::ordered_json totals_json(const std::string& name, const hunt_totals& sum,
                                   std::chrono::duration<double> took) {
  return {{"name", name},
          {"seeds", sum.seeds},
          {"failures", sum.faults},
          {"tasks", sum.tasks},
          {"starts", sum.starts},
          {"messages", sum.messages},
          {"wall_seconds", took.count()},
          {"passed", sum.failed == 0},
          {"failed", sum.failed}};
}

void print_totals(const std::string& name, const hunt_totals& sum, const std::string& more,
                  std::chrono::duration<double> took) {
  constexpr std::size_t indent = 2;
  const auto text =
    fmt::format("{}: {} seeds{}, {} failures, {} tasks, {} starts, {} messages, {:.1f} s", name,
                count_text(sum.seeds), more, count_text(sum.faults), count_text(sum.tasks),
                count_text(sum.starts), count_text(sum.messages), took.count());
  bool first = true;
  for (const auto& line : wrap(text, terminal_width() - indent))
    std::cout << std::string(std::exchange(first, false) ? 0 : indent, ' ') << line << '\n';
  std::cout << std::flush;
}

int end_without_failure() {
  if (caught_signal() != 0)
    return 128 + caught_signal();
  std::cout << "every invariant held\n";
  return exit_code::done;
}

} // namespace troupe
