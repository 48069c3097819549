#include "cluster/parent.hpp"
#include "commands/commands.hpp"
#include "experiments/processes/launcher.hpp"
#include "report/summary/difference_table.hpp"
#include "report/summary/summary_json.hpp"
#include "report/summary/summary_table.hpp"
#include "runtime/faults/fault_plan.hpp"
#include "runtime/time/endless.hpp"
#include "settings/toml/print.hpp"
#include "support/execute.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/live_run.hpp"
#include "support/run_report.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"
#include "support/timeline_options.hpp"
#include "support/verify.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

namespace troupe {

namespace {

constexpr const char* run_examples = R"(Examples:
  troupe run configs/quickstart.toml
  troupe run configs/quickstart.toml --seed 2 --out results/second
  troupe run configs/quickstart.toml --set scheduler.policy=latency-first --set sync.gap=500ms
  troupe run configs/trace.toml --set workload.file=my.tr
  troupe run configs/quickstart.toml --plugin build/mine.so --set scheduler.policy=mine
  troupe run configs/failures.toml
  troupe run configs/quickstart.toml --timeline t.json.gz --timeline-to 20s
  troupe run configs/quickstart.toml --serve --speed 10 --stay
  troupe run --verify results/quickstart-1

DIR receives summary.json, timeseries.csv, delays.csv, config.toml and report.html, a page with
plots that any browser opens. Results of other settings are not overwritten without
--overwrite: the new ones go to DIR.2, as do those of a run while another one uses DIR. The first
SIGINT or SIGTERM stops the run gracefully: the results so far are written, and the exit code is
130 or 143. The second one stops it at once. SIGHUP (a terminal that is closed) counts as SIGTERM,
but with clock = "real" CONFIG is read again, and the schedulers take its policies.)";

struct run_options {
  settings_input input;
  std::string seed;
  std::string records;
  std::string out;
  std::string verify;
  std::int64_t end_with = 0;
  bool quiet = false;
  bool no_reference = false;
  bool overwrite = false;
  bool as_json = false;
  bool no_report = false;
  timeline_options timeline;
  serve_options serve;
};

/// The time for an earlier process of the same runs to end, if their command was killed.
constexpr std::chrono::seconds patience_in_batch{10};

/// The place for the results of a run, and its settings as they are written there.
struct run_target {
  results_directory directory;
  std::string config;
};

/// Returns the directory of --out, with `suffix` at its name.
std::filesystem::path named_place(const std::string& out, const std::string& suffix) {
  auto path = std::filesystem::path{out}.lexically_normal();
  if (!path.has_filename())
    path = path.parent_path(); // of "DIR/"
  if (suffix.empty())
    return path;
  if (path == "." || path.filename() == "..")
    path = std::filesystem::weakly_canonical(path);
  return path += suffix;
}

void refuse_other_results(const run_options& options, const std::filesystem::path& path,
                          const std::string& config) {
  if (!options.overwrite && holds_other_results(path, config))
    throw usage_error{"run: --out " + path.string() +
                      ": it holds the results of other settings; expected another directory, or "
                      "--overwrite"};
}

/// Opens a place for results that holds none of other settings. Throws `usage_error` if the user
/// has named a place that does, or that another process uses.
run_target target_of(const run_options& options, const run_settings& settings,
                     const std::string& suffix) {
  const auto config = to_toml(settings);
  if (!options.out.empty()) {
    const auto path = named_place(options.out, suffix);
    refuse_other_results(options, path, config);
    auto directory =
      open_results(path, options.end_with != 0 ? patience_in_batch : std::chrono::seconds{0});
    refuse_other_results(options, path, config); // another run may just have ended there
    if (options.end_with != 0)
      directory.stay_here();
    return {std::move(directory), config};
  }
  const auto name = settings.name + '-' + std::to_string(settings.seed) + suffix;
  return {open_free_results(std::filesystem::path{"results"} / name, config, options.overwrite),
          config};
}

/// Renders the policies of the schedulers of each group.
std::string policies_text(const run_settings& settings) {
  std::string text;
  if (settings.pool > 0)
    return settings.scheduler.policy;
  for (const auto& group : settings.groups)
    text += (text.empty() ? "" : ", ") + group.scheduler.policy +
            (settings.groups.size() > 1 ? " in group " + group.name : "");
  return text;
}

/// Returns a function that reads the settings again after SIGHUP; an empty one in virtual time.
settings_reload reload_of(const settings_input& input, const run_settings& settings) {
  if (settings.clock != clock_kind::real_time)
    return {};
  watch_hangups();
  return [input]() -> std::optional<run_settings> {
    if (!take_hangup())
      return std::nullopt;
    try {
      auto wanted = read_input(input);
      std::cerr << "troupe: " << input.file << " was read again; the policies are now "
                << policies_text(wanted) << std::endl;
      return wanted;
    } catch (const std::exception& e) {
      std::cerr << "troupe: the policies do not change: " << e.what() << std::endl;
      return std::nullopt;
    }
  };
}

/// Refuses impossible failures, and runs without an end, before anything is started.
void check_failures_input(const settings_input& input, const run_settings& settings) {
  if (const auto why = why_endless(settings); !why.empty())
    throw usage_error{input.file + ": " + why};
  if (!watches_failures(settings))
    return;
  try {
    planned_faults(settings);
  } catch (const std::exception& e) {
    throw usage_error{e.what()};
  }
}

/// Returns the settings of the same run without failures. Members still send heartbeats.
run_settings without_failures(run_settings settings) {
  settings.faults = {};
  settings.failures.watch = watch_kind::on;
  return settings;
}

/// Returns the results of a run, with their place, if any, as they are printed.
nlohmann::ordered_json results_json(const std::filesystem::path& where,
                                    const run_results& results) {
  nlohmann::ordered_json place; // null
  if (!where.empty())
    place = where.string();
  return {{"directory", place}, {"summary", summary_json(results)}};
}

/// Runs once more without the failures and prints the difference, or adds the results to `all`.
int run_reference(const run_options& options, const run_settings& reference,
                  const run_target& target, const run_results& with, nlohmann::ordered_json& all) {
  const auto ended = run_watched(reference, target.directory, options.quiet);
  const auto& without = ended.results;
  std::ostringstream text;
  write_difference(text, without, with);
  const auto kept = report_where(target.directory, without, target.config,
                                 {.quiet = options.quiet,
                                  .on_stdout = !options.as_json,
                                  .page = false,
                                  .text = text.str(),
                                  .what = "results without failures"});
  if (!options.no_report && !kept.where.empty())
    report_run(kept.where, true);
  all["without_failures"] = results_json(kept.where, without);
  return kept.trouble.empty() ? exit_code_of(ended) : exit_code::failed;
}

int run_and_report(const run_options& options) {
  const auto settings = read_input(options.input);
  check_failures_input(options.input, settings);
  std::optional<timeline_file> drawn;
  if (options.timeline.wanted())
    drawn.emplace(options.timeline);
  const auto target = target_of(options, settings, "");
  const auto reference = without_failures(settings);
  std::optional<run_target> second;
  if (settings.faults.any() && !options.no_reference)
    second = target_of(options, reference, "-without-failures");
  const auto& directory = target.directory;
  std::unique_ptr<live_run> live;
  if (options.serve.wanted)
    live = std::make_unique<live_run>(options.serve, settings, directory.path());
  if (drawn) {
    drawn->check_outside(directory.path());
    if (second)
      drawn->check_outside(second->directory.path());
    drawn->begin();
  }
  const auto ended =
    run_watched(settings, directory, options.quiet, reload_of(options.input, settings),
                drawn ? &drawn->drawn() : nullptr, live.get());
  const auto& results = ended.results;
  std::ostringstream text;
  write_summary(text, results);
  const auto kept = report_where(directory, results, target.config,
                                 {.quiet = options.quiet,
                                  .on_stdout = !options.as_json,
                                  .page = !options.no_report,
                                  .text = with_verdicts(text.str())});
  const bool complete = !drawn || drawn->write(results, options.quiet || options.as_json);
  auto code = kept.trouble.empty() && complete ? exit_code_of(ended) : exit_code::failed;
  auto all = results_json(kept.where, results);
  if (second && !results.interrupted)
    code = std::max(code, run_reference(options, reference, *second, results, all));
  if (options.end_with != 0 && !(kept.trouble.empty() && ended.complete))
    code = results_unwritable;
  if (options.as_json)
    print_json(all);
  if (live)
    live->end([] { return caught_signal() != 0; });
  return code;
}

/// Overrides the setting `name` by the option of the same name, which --set must not contradict; in
/// a run of another command, which chooses the seeds itself, the option wins.
void override_by_option(run_options& options, const std::string& name, const std::string& value) {
  auto& input = options.input;
  for (const auto& other : input.overrides)
    if (options.end_with == 0 && other.starts_with(name + '=') &&
        other.substr(name.size() + 1) != value)
      throw usage_error{"run: --" + name + ' ' + value + " and --set " + other +
                        " contradict each other; expected one of them"};
  input.overrides.push_back(name + '=' + value);
}

int execute(run_options& options) {
  auto& [input, seed, records, out, verify_directory, end_with, quiet, no_reference, overwrite,
         as_json, no_report, drawn, serve] = options;
  survive_closed_pipes();
  if (end_with != 0)
    end_with_parent(static_cast<pid_t>(end_with));
  if (!verify_directory.empty()) {
    if (!input.file.empty() || !input.overrides.empty() || !input.plugins.empty() ||
        !seed.empty() || !records.empty() || !out.empty() || drawn.wanted() || serve.wanted)
      throw usage_error{"run: --verify with CONFIG, --set, --plugin, --seed, --records, --out, "
                        "--timeline or --serve; expected --verify alone, as DIR/config.toml has "
                        "the settings"};
    return verify(verify_directory, quiet, as_json);
  }
  // As in `run --serve CONFIG`.
  if (input.file.empty())
    input.file = std::exchange(serve.address, "");
  if (input.file.empty())
    throw usage_error{
      "run: CONFIG is missing; expected a settings file such as configs/quickstart.toml"};
  if (!seed.empty())
    override_by_option(options, "seed", seed);
  if (!records.empty())
    override_by_option(options, "records", records);
  try {
    return run_and_report(options);
  } catch (const disk_full& e) {
    if (end_with == 0)
      throw;
    std::cerr << "troupe: " << e.what() << std::endl;
    return results_unwritable;
  }
}

std::string check_directory(const std::string& text) {
  return text.empty() ? "a directory is needed" : "";
}

std::string check_seed(const std::string& text) {
  std::int64_t seed = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc{} && end == text.data() + text.size() && seed >= 0)
    return "";
  return '\'' + text + "' is not a whole number; expected one from 0 to 9223372036854775807";
}

} // namespace

void add_run_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("run", "Run a cluster and write the results");
  command->footer(run_examples);
  auto options = std::make_shared<run_options>();
  add_settings_options(*command, options->input);
  command->add_option("--seed", options->seed, "The same as --set seed=N")
    ->check(check_seed)
    ->type_name("N");
  command
    ->add_option("--records", options->records,
                 "The same as --set records=KIND: none, jobs or tasks")
    ->type_name("KIND");
  command->add_option("--out", options->out, "Directory for results; default: results/NAME-SEED")
    ->check(check_directory)
    ->type_name("DIR");
  add_timeline_options(*command, options->timeline);
  command->add_flag("--no-reference", options->no_reference,
                    "With [faults]: skip the second run without failures");
  add_report_option(*command, options->no_report);
  command->add_flag("--overwrite", options->overwrite, "Overwrite results of other settings");
  command->add_flag("--quiet,-q", options->quiet, "Show neither progress nor summary");
  command
    ->add_option("--verify", options->verify, "Run DIR/config.toml again and compare the results")
    ->check(check_directory)
    ->type_name("DIR");
  add_serve_options(*command, options->serve);
  add_json_option(*command, options->as_json);
  command->add_option("--end-with", options->end_with)
    ->group(""); // used by processes of this program
  command->callback([&chosen, options] { chosen = [options] { return execute(*options); }; });
}

} // namespace troupe
