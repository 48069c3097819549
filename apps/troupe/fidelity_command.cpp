#include "commands.hpp"
#include "experiments/child_process.hpp"
#include "experiments/summary_path.hpp"
#include "experiments/value_error.hpp"
#include "inputs.hpp"
#include "node_options.hpp"
#include "report/text.hpp"
#include "signals.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace troupe {

namespace {

constexpr const char* fidelity_examples = R"(Examples:
  troupe fidelity configs/quickstart.toml --set duration=60s
  troupe fidelity configs/fidelity/e1.toml --nodes 4 --within 0.1

Runs one configuration in virtual time, in real time in one process, and in real time over several
processes on loopback, one after the other, and prints the differences to virtual time.
Runs in real time take as long as the configuration says.)";

struct fidelity_options {
  settings_input input;
  std::string out;
  std::uint32_t nodes = 4;
  double within = 0;
};

/// One way to run the configuration, and where its summary is then.
struct way {
  const char* name;
  std::vector<std::string> arguments;
  std::filesystem::path results;
};

struct metric {
  const char* name;
  const char* path;
  std::string (*text)(double);
};

std::string count(double x) {
  return count_text(static_cast<std::uint64_t>(x));
}

constexpr metric metrics[] = {
  {"tasks submitted", "tasks.submitted", count},
  {"tasks placed", "tasks.placed", count},
  {"tasks finished", "tasks.finished", count},
  {"scheduling delay, mean", "scheduling_delay_s.mean", seconds_text},
  {"scheduling delay, p50", "scheduling_delay_s.p50", seconds_text},
  {"scheduling delay, p99", "scheduling_delay_s.p99", seconds_text},
  {"job response, mean", "job_response_s.mean", seconds_text},
  {"conflict fraction", "conflict_fraction", percent_text},
  {"quality, mean", "quality.mean", number_text},
  {"utilization, mean", "utilization.mean", percent_text},
  {"view staleness, mean", "staleness_s.mean", seconds_text},
};

/// Runs this program once more. Throws `std::runtime_error` if that fails without results.
void run_to_its_end(const way& w) {
  std::cerr << w.name << " ..." << std::flush;
  const auto start = std::chrono::steady_clock::now();
  child_process child{"/proc/self/exe", w.arguments};
  bool told = false;
  for (;;) {
    pollfd poll_for{child.errors(), POLLIN, 0};
    if (poll(&poll_for, 1, 200) > 0 && !child.read_errors())
      break;
    if (caught_signal() != 0 && !std::exchange(told, true))
      child.send(SIGTERM);
  }
  const auto code = child.wait();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cerr << ' ' << seconds_text(took.count()) << std::endl;
  const bool has_results = std::filesystem::exists(w.results / "summary.json");
  if (code != exit_code::done && !(code == exit_code::failed && has_results))
    throw std::runtime_error(std::string{w.name} + " ended with exit code " + std::to_string(code) +
                             ": " + child.last_errors());
}

nlohmann::ordered_json summary_of(const way& w) {
  const auto file = w.results / "summary.json";
  std::ifstream in{file};
  if (!in)
    throw std::runtime_error(file.string() + " is missing, although " + w.name + " has ended");
  return nlohmann::ordered_json::parse(in);
}

std::optional<double> value_of(const nlohmann::ordered_json& summary, const char* path) {
  try {
    return value_at(summary, path);
  } catch (const value_error&) {
    return std::nullopt;
  }
}

/// The relative difference; nothing where there is none to speak of.
std::optional<double> gap(double from, double to) {
  if (from == to)
    return 0;
  if (from == 0)
    return std::nullopt;
  return (to - from) / std::abs(from);
}

std::string gap_text(const std::optional<double>& g) {
  if (!g)
    return "from 0";
  if (*g == 0)
    return "equal";
  if (std::abs(*g) < 1e-5)
    return "< 0.001 %";
  return (*g > 0 ? "+" : "-") + percent_text(std::abs(*g));
}

/// Returns how many self-checks of the runs have failed.
int print_failures(const std::vector<way>& ways,
                   const std::vector<nlohmann::ordered_json>& summaries) {
  int failed = 0;
  for (std::size_t i = 0; i < ways.size(); ++i)
    for (const auto& check : summaries[i].at("checks"))
      if (!check.at("passed").get<bool>()) {
        std::cout << (failed++ == 0 ? "\n" : "") << "FAIL  " << ways[i].name << ": "
                  << check.at("name").get<std::string>() << ": "
                  << check.at("detail").get<std::string>() << '\n';
      }
  return failed;
}

/// Returns how many gaps are greater than `within`.
int print_gaps(const std::vector<way>& ways, const std::vector<nlohmann::ordered_json>& summaries,
               double within) {
  std::cout << std::left << std::setw(24) << "" << std::right;
  for (const auto& w : ways)
    std::cout << std::setw(14) << w.name << (&w == &ways.front() ? "" : "        gap ");
  std::cout << '\n';
  int beyond = 0;
  for (const auto& m : metrics) {
    const auto base = value_of(summaries.front(), m.path);
    if (!base)
      continue;
    std::cout << std::left << std::setw(24) << m.name << std::right << std::setw(14)
              << m.text(*base);
    for (std::size_t i = 1; i < ways.size(); ++i) {
      const auto there = value_of(summaries[i], m.path);
      const auto g = there ? gap(*base, *there) : std::nullopt;
      const bool far = within > 0 && (!g || std::abs(*g) > within);
      beyond += far;
      std::cout << std::setw(14) << (there ? m.text(*there) : "-") << std::setw(11) << gap_text(g)
                << (far ? '*' : ' ');
    }
    std::cout << '\n';
  }
  if (beyond > 0)
    std::cout << "\n* more than " << percent_text(within) << " from virtual time\n";
  return beyond;
}

int execute(const fidelity_options& options) {
  const auto settings = read_input(options.input); // whatever is wrong with it is said at once
  cluster_settings_of(options.input);              // likewise
  const std::filesystem::path out =
    options.out.empty() ? std::filesystem::path{"results"} / (settings.name + "-fidelity")
                        : std::filesystem::path{options.out};
  std::filesystem::create_directories(out);
  watch_signals();
  std::vector<std::string> common{options.input.file};
  for (const auto& o : options.input.overrides) {
    common.push_back("--set");
    common.push_back(o);
  }
  const auto parent = std::to_string(getpid());
  const auto run = [&](const char* clock, const std::filesystem::path& to) {
    std::vector<std::string> all{"run"};
    all.insert(all.end(), common.begin(), common.end());
    for (const auto* more : {"--set", clock, "--quiet", "--no-reference"})
      all.emplace_back(more);
    all.insert(all.end(), {"--out", to.string(), "--end-with", parent});
    return all;
  };
  std::vector<std::string> up{"cluster", "up"};
  up.insert(up.end(), common.begin(), common.end());
  up.insert(up.end(), {"--nodes", std::to_string(options.nodes), "--once", "--dir",
                       (out / "nodes").string(), "--end-with", parent});
  const std::vector<way> ways{
    {"virtual time", run("clock=virtual", out / "virtual"), out / "virtual"},
    {"one process", run("clock=real", out / "real"), out / "real"},
    {"processes", up, out / "nodes" / "results"}};
  std::vector<nlohmann::ordered_json> summaries;
  for (const auto& w : ways) {
    std::filesystem::remove(w.results / "summary.json"); // of an earlier time
    run_to_its_end(w);
    summaries.push_back(summary_of(w));
  }
  std::cout << settings.name << ", seed " << settings.seed << ", over " << options.nodes
            << " processes\n\n";
  const auto beyond = print_gaps(ways, summaries, options.within);
  const auto failed = print_failures(ways, summaries);
  std::cout << "\nresults in " << out.string() << '\n';
  return beyond + failed > 0 ? exit_code::failed : exit_code::done;
}

} // namespace

void add_fidelity_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("fidelity", "Compare virtual time, real time and processes");
  command->footer(fidelity_examples);
  auto options = std::make_shared<fidelity_options>();
  add_settings_options(*command, options->input);
  command->add_option("--nodes", options->nodes, "Processes of the third run")
    ->check(CLI::Range(1, 64).description(""))
    ->capture_default_str()
    ->type_name("N");
  command->add_option("--out", options->out, "Where results go; default: results/NAME-fidelity")
    ->type_name("DIR");
  command
    ->add_option("--within", options->within,
                 "Exit code 1 if a gap is greater than this: 0.1 is 10 %")
    ->check(CLI::Range(0.0, 10.0).description(""))
    ->type_name("SHARE");
  command->callback([&chosen, options] {
    chosen = [options] {
      if (options->input.file.empty())
        throw usage_error{"fidelity: a CONFIG file is needed, such as configs/quickstart.toml"};
      return execute(*options);
    };
  });
}

} // namespace troupe
