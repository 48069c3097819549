#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "experiments/compare/fidelity_table.hpp"
#include "experiments/processes/child_process.hpp"
#include "report/json/parse_json.hpp"
#include "report/results/results_directory.hpp"
#include "report/results/results_format.hpp"
#include "report/text/text.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/result_files.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
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
Runs in real time take as long as the duration in the configuration.)";

struct fidelity_options {
  settings_input input;
  std::string out;
  std::uint32_t nodes = 4;
  double within = 0;
  bool as_json = false;
  bool no_report = false;
};

/// One way to run the configuration, and the place of its summary.
struct way {
  const char* name;
  std::vector<std::string> arguments;
  std::filesystem::path results;
};

/// Runs this program once more, until its end or until a signal is caught. Throws
/// `std::runtime_error` if it fails without results.
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
  if (caught_signal() != 0)
    return;
  const bool has_results = std::filesystem::exists(w.results / "summary.json");
  if (code != exit_code::done && !(code == exit_code::failed && has_results))
    throw std::runtime_error(std::string{w.name} + " ended with exit code " + std::to_string(code) +
                             ": " + child.last_errors());
}

nlohmann::ordered_json summary_of(const way& w) {
  const auto file = w.results / "summary.json";
  if (!std::filesystem::exists(file))
    throw std::runtime_error(file.string() + " is missing, although " + w.name + " has ended");
  auto summary = read_json(file);
  if (!summary.is_object())
    throw std::runtime_error(file.string() + " is not the summary of a run");
  check_results_format(file, summary);
  return summary;
}

/// Returns the failed self-checks of the runs, each as one text.
std::vector<std::string> failures_of(const std::vector<way>& ways,
                                     const std::vector<nlohmann::ordered_json>& summaries) {
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < ways.size(); ++i)
    for (const auto& check : summaries[i].at("checks"))
      if (!check.at("passed").get<bool>())
        failures.push_back(ways[i].name + (": " + check.at("name").get<std::string>()) + ": " +
                           check.at("detail").get<std::string>());
  return failures;
}

void print_table(const run_settings& settings, const fidelity_options& options,
                 const fidelity_table& compared, const std::vector<std::string>& failures) {
  std::cout << settings.name << ", seed " << settings.seed << ", over " << options.nodes
            << " processes\n\n"
            << compared.table.to_plain(terminal_width());
  if (compared.beyond > 0)
    std::cout << "\n* more than " << percent_text(options.within) << " from virtual time\n";
  if (!failures.empty())
    std::cout << '\n';
  for (const auto& failure : failures)
    std::cout << with_verdicts("FAIL  " + failure + '\n');
}

nlohmann::ordered_json numbers_json(const std::vector<std::optional<double>>& numbers) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& number : numbers)
    out.push_back(number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr));
  return out;
}

nlohmann::ordered_json fidelity_json(const run_settings& settings, const fidelity_options& options,
                                     const std::vector<way>& ways, const fidelity_table& compared,
                                     const std::vector<std::string>& failures) {
  nlohmann::ordered_json all{
    {"name", settings.name}, {"seed", settings.seed}, {"nodes", options.nodes}};
  for (const auto& w : ways)
    all["ways"].push_back({{"name", w.name}, {"directory", w.results.string()}});
  for (const auto& row : compared.rows)
    all["metrics"].push_back({{"name", row.name},
                              {"path", row.path},
                              {"values", numbers_json(row.values)},
                              {"gaps", numbers_json(row.gaps)}});
  all["beyond"] = compared.beyond;
  all["failed_checks"] = failures;
  return all;
}

/// Says before the runs how long they take, as far as the settings tell.
void tell_length(const run_settings& settings) {
  std::cerr << "3 runs, one after the other: in virtual time, then two in real time";
  if (settings.length > duration{0})
    std::cerr << ", which take " << seconds_text(to_seconds(settings.length)) << " each";
  std::cerr << std::endl;
}

/// Writes a page with all ways in the same plots.
void write_fidelity_page(const std::vector<way>& ways,
                         const std::vector<nlohmann::ordered_json>& summaries,
                         const run_settings& settings, const fidelity_options& options,
                         const std::filesystem::path& out) {
  page_contents page;
  page.title = settings.name + ", fidelity";
  std::vector<std::string> names;
  try {
    for (const auto& w : ways) {
      page.runs.push_back(read_run_folder(w.results, w.name));
      names.emplace_back(w.name);
    }
  } catch (const std::runtime_error& e) {
    std::cerr << "troupe: no report: " << e.what() << std::endl;
    return;
  }
  const auto table = compare_fidelity(names, summaries, options.within).table;
  page.tables.push_back(page_table(table, "Differences from virtual time"));
  page.command = own_command();
  report_page(out / results_directory::report_name, page, false);
}

int execute(const fidelity_options& options) {
  survive_closed_pipes();
  const auto settings = read_input(options.input); // reports mistakes before any run
  cluster_settings_of(options.input);              // likewise
  const auto held = hold_directory(
    "fidelity", options.out, std::filesystem::path{"results"} / (settings.name + "-fidelity"));
  const auto& out = held.path;
  std::filesystem::create_directories(out);
  watch_signals();
  std::vector<std::string> common{options.input.file};
  for (const auto& o : options.input.overrides) {
    common.push_back("--set");
    common.push_back(o);
  }
  for (const auto& path : options.input.plugins) {
    common.push_back("--plugin");
    common.push_back(path);
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
  tell_length(settings);
  std::vector<std::string> names;
  std::vector<nlohmann::ordered_json> summaries;
  for (const auto& w : ways) {
    names.emplace_back(w.name);
    results_directory::clear(w.results); // from an earlier call
    run_to_its_end(w);
    if (caught_signal() != 0) {
      std::cerr << "interrupted" << std::endl;
      return 128 + caught_signal();
    }
    summaries.push_back(summary_of(w));
  }
  const auto compared = compare_fidelity(names, summaries, options.within);
  const auto failures = failures_of(ways, summaries);
  if (!options.no_report)
    write_fidelity_page(ways, summaries, settings, options, out);
  if (options.as_json) {
    print_json(fidelity_json(settings, options, ways, compared, failures));
  } else {
    print_table(settings, options, compared, failures);
    std::cout << "\nresults in " << out.string() << '\n';
  }
  return compared.beyond > 0 || !failures.empty() ? exit_code::failed : exit_code::done;
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
  command
    ->add_option("--out", options->out, "Directory for results; default: results/NAME-fidelity")
    ->type_name("DIR");
  command
    ->add_option("--within", options->within,
                 "Exit code 1 if a gap is greater than this: 0.1 is 10 %")
    ->check(CLI::Range(0.0, 10.0).description(""))
    ->type_name("SHARE");
  add_json_option(*command, options->as_json);
  add_report_option(*command, options->no_report);
  command->callback([&chosen, options] {
    chosen = [options] {
      if (options->input.file.empty())
        throw usage_error{
          "fidelity: CONFIG is missing; expected a settings file such as configs/quickstart.toml"};
      return execute(*options);
    };
  });
}

} // namespace troupe
