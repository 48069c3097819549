#include "commands.hpp"
#include "inputs.hpp"
#include "runtime/chaos.hpp"
#include "signals.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

namespace troupe {

namespace {

constexpr const char* examples = R"(Examples:
  troupe chaos configs/chaos/parsync.toml
  troupe chaos configs/chaos/parsync.toml --seeds 1..100 --jobs 2
  troupe chaos configs/chaos/parsync.toml --seeds 17 --events 40

Each seed makes a run of its own in virtual time, with failures of its own: members die, stand still
and come back, links are cut, lose and delay messages. After every event it is checked whether all
is as it has to be; [chaos] in CONFIG says what may fail, and how often. The first seed that fails
is run again and told in detail, and the exit code is 1.)";

constexpr std::uint64_t most_told = 20; ///< failing seeds, one line each

struct chaos_options {
  settings_input input;
  std::string seeds = "1..100";
  unsigned jobs = 1;
  std::size_t events = 20;
};

struct seed_range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
};

bool read_number(std::string_view text, std::uint64_t& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size() && into <= 9223372036854775807;
}

/// Reads "7" and "1..100". Returns whether that is what `text` is.
bool read_seeds(std::string_view text, seed_range& into) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos)
    return read_number(text, into.first) && read_number(text, into.last);
  return read_number(text.substr(0, dots), into.first) &&
         read_number(text.substr(dots + 2), into.last) && into.first <= into.last;
}

std::string check_seeds(const std::string& text) {
  seed_range range;
  return read_seeds(text, range) ? "" : '\'' + text + "' is no range of seeds, as in 1..1000";
}

/// What all seeds came to.
struct totals {
  std::uint64_t seeds = 0;
  std::uint64_t faults = 0;
  std::uint64_t tasks = 0;
  std::uint64_t starts = 0;
  std::uint64_t messages = 0;
  std::uint64_t failed = 0;
  std::uint64_t first_failed = ~std::uint64_t{0};
};

totals run_all(const run_settings& settings, const seed_range& range, unsigned jobs) {
  totals sum;
  std::mutex mutex;
  std::atomic<std::uint64_t> next{range.first};
  const auto work = [&] {
    for (auto seed = next++; seed <= range.last && caught_signal() == 0; seed = next++) {
      auto with = settings;
      with.seed = seed;
      const auto outcome = run_chaos(with);
      const std::lock_guard lock{mutex};
      ++sum.seeds;
      sum.faults += outcome.faults.size();
      sum.tasks += outcome.tasks;
      sum.starts += outcome.starts;
      sum.messages += outcome.messages;
      if (!outcome.violation)
        continue;
      if (++sum.failed == most_told)
        std::cout << "more of them are only counted" << std::endl;
      sum.first_failed = std::min(sum.first_failed, seed);
      if (sum.failed < most_told)
        std::cout << "seed " << seed << " fails at " << to_string(outcome.ended) << ": "
                  << *outcome.violation << std::endl;
    }
  };
  std::vector<std::thread> others;
  for (unsigned j = 1; j < jobs; ++j)
    others.emplace_back(work);
  work();
  for (auto& t : others)
    t.join();
  return sum;
}

std::string command_for(const chaos_options& options, std::uint64_t seed) {
  auto text = "troupe chaos " + options.input.file + " --seeds " + std::to_string(seed);
  for (const auto& o : options.input.overrides)
    text += " --set '" + o + "'";
  return text;
}

void tell(const chaos_options& options, run_settings settings, std::uint64_t seed) {
  settings.seed = seed;
  const auto outcome = run_chaos(settings, options.events);
  std::cout << "\nseed " << seed << ": " << outcome.violation.value_or("passes")
            << "\n\nfailures:\n";
  for (const auto& f : outcome.faults)
    std::cout << "  " << to_string(f) << '\n';
  std::cout << "\nthe last " << outcome.last_events.size() << " events before:\n";
  for (const auto& e : outcome.last_events)
    std::cout << "  " << e << '\n';
  std::cout << "\nto see it again: " << command_for(options, seed) << '\n';
}

int execute(const chaos_options& options) {
  auto settings = read_input(options.input);
  if (const auto why = why_no_chaos(settings); !why.empty())
    throw usage_error{options.input.file + ": " + why};
  seed_range range;
  read_seeds(options.seeds, range);
  watch_signals();
  const auto before = std::chrono::steady_clock::now();
  const auto sum = run_all(settings, range, options.jobs);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  std::printf("%s: %llu seeds, %llu failures, %llu tasks, %llu starts, %llu messages, %.1f s\n",
              settings.name.c_str(), static_cast<unsigned long long>(sum.seeds),
              static_cast<unsigned long long>(sum.faults),
              static_cast<unsigned long long>(sum.tasks),
              static_cast<unsigned long long>(sum.starts),
              static_cast<unsigned long long>(sum.messages), took.count());
  std::fflush(stdout);
  if (sum.failed > 0) {
    std::cout << sum.failed << " seeds fail\n";
    tell(options, settings, sum.first_failed);
    return exit_code::failed;
  }
  if (caught_signal() != 0)
    return 128 + caught_signal();
  std::cout << "every invariant held\n";
  return exit_code::done;
}

} // namespace

void add_chaos_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("chaos", "Hunt for defects with failures at seeded times");
  command->footer(examples);
  auto options = std::make_shared<chaos_options>();
  add_settings_options(*command, options->input);
  command->get_option("CONFIG")->required();
  command->add_option("--seeds", options->seeds, "Seeds to run, as in 1..1000 or 17")
    ->check(check_seeds)
    ->capture_default_str()
    ->type_name("A..B");
  command->add_option("--jobs,-j", options->jobs, "Runs at a time")
    ->check(CLI::Range(1, 256))
    ->capture_default_str()
    ->type_name("N");
  command->add_option("--events", options->events, "Events to tell of before what was wrong")
    ->check(CLI::Range(0, 1000000))
    ->capture_default_str()
    ->type_name("N");
  command->callback([&chosen, options] { chosen = [options] { return execute(*options); }; });
}

} // namespace troupe
