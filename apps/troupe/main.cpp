#include "actors/plugin/scheduler_plugin.hpp"
#include "commands/commands.hpp"
#include "commands/supervise_command.hpp"
#include "jobs/submit_options.hpp"
#include "model/jobs/job_source.hpp"
#include "report/text/printable.hpp"
#include "settings/checks/nearest_name.hpp"
#include "support/json_output.hpp"
#include "support/log.hpp"
#include "support/option_hints.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* description =
  "Troupe runs cluster schedulers as actors, in virtual or in real time.";

constexpr const char* examples = R"(Examples:
  troupe run configs/quickstart.toml
  troupe run configs/quickstart.toml --seed 2 --set policy.tau=500ms
  troupe compare a.toml b.toml --seeds 5
  troupe sweep a.toml --vary sync.gap=500ms,1s,2s --vary schedulers=5,10 --seeds 5
  troupe experiment configs/experiments/e1
  troupe chaos configs/chaos/parsync.toml --seeds 1..100
  troupe cluster up --nodes 4 --machines 10000
  troupe config > my.toml
  troupe help run

Exit codes: 0 done; 1 a run, a self-check or an expectation failed; 2 the settings or the command
line are wrong; 130 after SIGINT, 143 after SIGTERM or SIGHUP, with the results so far written.)";

bool wants_json = false;

void complain(const std::string& message) {
  const auto text = troupe::printable_lines(message);
  std::fprintf(stderr, "troupe: %s\n", text.c_str());
  if (wants_json)
    troupe::print_json_error(text);
}

/// Returns the innermost command that was recognised on the command line.
const CLI::App& innermost(const CLI::App& app) {
  const auto* at = &app;
  while (!at->get_subcommands().empty())
    at = at->get_subcommands().front();
  return *at;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* at : {&innermost(app), &app})
    for (const auto* option : at->get_options())
      for (const auto& name : option->get_lnames())
        names.push_back("--" + name);
  return names;
}

/// Returns "; did you mean 'X'?" if one of `names` is similar to `word`.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto nearest = troupe::nearest_name(word.substr(0, word.find('=')), known);
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

int reject(const CLI::App& app, const std::string& message) {
  std::string command = "troupe";
  for (const auto* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    command += ' ' + at->get_name();
  }
  complain(message + "; see '" + command + " --help'");
  return troupe::exit_code::usage;
}

std::string unexpected(const CLI::App& app) {
  const auto word = app.remaining(true).front();
  const auto quoted = '\'' + word + '\'';
  if (word.starts_with('-'))
    return "unknown option " + quoted + suggestion(word, options_of(app));
  const auto& command = innermost(app);
  const auto known = commands_of(command);
  if (known.empty())
    return "unexpected argument " + quoted;
  return "unknown command " + quoted + suggestion(word, known);
}

/// From CLI11's text on a value that does not convert to the number of its option, such as
/// "Could not convert: --cpu = x".
std::string unconverted(std::string text) {
  constexpr std::string_view begin = "Could not convert: ";
  const auto equals = text.find(" = ");
  if (!text.starts_with(begin) || equals == std::string::npos)
    return text;
  return text.substr(begin.size(), equals - begin.size()) + ": '" + text.substr(equals + 3) +
         "' is not a number, or out of range";
}

/// Shows the help for `words`, such as "trace fit"; if empty, that of the program.
int show_help(const CLI::App& app, const std::vector<std::string>& words) {
  const auto* at = &app;
  auto name = app.get_name();
  for (const auto& word : words) {
    const auto known = commands_of(*at);
    if (std::ranges::find(known, word) == known.end())
      throw troupe::usage_error{"help: unknown command '" + word + '\'' + suggestion(word, known)};
    name += ' ' + word;
    at = at->get_subcommand(word);
  }
  std::cout << troupe::help_in(at->get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal),
                               troupe::terminal_width());
  return troupe::exit_code::done;
}

void add_help_command(CLI::App& app, troupe::action& chosen) {
  auto* command = app.add_subcommand("help", "Show the help of a command");
  command->footer("Examples:\n  troupe help run\n  troupe help trace fit");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("COMMAND", *words, "The command; default: the whole program")->type_name("");
  command->callback(
    [&app, &chosen, words] { chosen = [&app, words] { return show_help(app, *words); }; });
}

void add_color_option(CLI::App& app) {
  auto* option = app.add_option_function<std::string>(
    "--color",
    [](const std::string& when) {
      troupe::choose_color(when == "always"  ? troupe::color_choice::always
                           : when == "never" ? troupe::color_choice::never
                                             : troupe::color_choice::automatic);
    },
    "Colours: auto (on a terminal, unless NO_COLOR is set), always, never");
  option->type_name("WHEN");
  troupe::choose_from(option, {"auto", "always", "never"});
}

/// The command of `troupe submit` is passed on as it is.
void parse(CLI::App& app, int argc, char** argv) {
  if (std::ranges::find(argv, argv + argc, std::string_view{"submit"}) == argv + argc)
    return app.parse(argc, argv);
  auto words = troupe::with_marked_brackets(argc, argv);
  std::vector<char*> marked;
  for (auto& word : words)
    marked.push_back(word.data());
  app.parse(argc, marked.data());
}

int run_command_line(int argc, char** argv) {
  CLI::App app{description, "troupe"};
  app.footer(examples);
  app.get_formatter()->column_width(28);
  app.fallthrough();
  app.set_version_flag("--version", [] { return std::string{"troupe " TROUPE_VERSION}; });
  std::string log_level = "warn";
  auto* log_level_option =
    app
      .add_option("--log-level", log_level,
                  "Level of the log on stderr: trace, debug, info, warn, error, off")
      ->capture_default_str()
      ->type_name("LEVEL");
  troupe::choose_from(log_level_option, troupe::log_levels());
  add_color_option(app);
  troupe::action chosen;
  troupe::add_run_command(app, chosen);
  troupe::add_compare_command(app, chosen);
  troupe::add_sweep_command(app, chosen);
  troupe::add_find_command(app, chosen);
  troupe::add_experiment_command(app, chosen);
  troupe::add_chaos_command(app, chosen);
  troupe::add_report_command(app, chosen);
  troupe::add_export_command(app, chosen);
  troupe::add_explain_command(app, chosen);
  troupe::add_why_not_command(app, chosen);
  troupe::add_results_command(app, chosen);
  troupe::add_config_command(app, chosen);
  troupe::add_policies_command(app, chosen);
  troupe::add_check_command(app, chosen);
  troupe::add_new_command(app, chosen);
  troupe::add_trace_command(app, chosen);
  troupe::add_cluster_command(app, chosen);
  troupe::add_fidelity_command(app, chosen);
  troupe::add_status_command(app, chosen);
  troupe::add_nodes_command(app, chosen);
  troupe::add_top_command(app, chosen);
  troupe::add_serve_command(app, chosen);
  troupe::add_drain_command(app, chosen);
  troupe::add_policy_command(app, chosen);
  troupe::add_submit_command(app, chosen);
  troupe::add_jobs_command(app, chosen);
  troupe::add_job_command(app, chosen);
  troupe::add_logs_command(app, chosen);
  troupe::add_wait_command(app, chosen);
  troupe::add_cancel_command(app, chosen);
  troupe::add_retry_command(app, chosen);
  troupe::add_store_command(app, chosen);
  troupe::add_record_command(app, chosen);
  troupe::add_node_command(app, chosen);
  troupe::add_certs_command(app, chosen);
  troupe::add_completion_command(app, chosen);
  troupe::add_man_command(app, chosen);
  troupe::add_version_command(app, chosen);
  add_help_command(app, chosen);
  app.require_subcommand(0, 1);
  try {
    parse(app, argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << troupe::help_in(app.help(), troupe::terminal_width());
    return troupe::exit_code::done;
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ExtrasError&) {
    return reject(app, unexpected(app));
  } catch (const CLI::ConversionError& e) {
    return reject(app, unconverted(e.what()));
  } catch (const CLI::ParseError& e) {
    return reject(app, e.what());
  }
  if (!chosen)
    return reject(app, "a command is missing; expected one such as run");
  troupe::start_logging(log_level, log_level_option->count() > 0);
  return chosen();
}

/// Returns `code`, or failure if writing to standard output failed.
int with_output(int code) {
  errno = 0;
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written)
    return code;
  const std::string why = errno != 0 ? std::strerror(errno) : "some of it was lost";
  complain("cannot write to standard output: " + why);
  return code == troupe::exit_code::done ? troupe::exit_code::failed : code;
}

/// Has a write beyond the limit of a file's size fail, as on a full disk. A program that this one
/// starts gets the default again, as it would not if the signal were ignored.
void survive_file_limit() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGXFSZ, &action, nullptr);
}

} // namespace

int main(int argc, char** argv) {
  if (troupe::is_supervise(argc, argv))
    return troupe::supervise(argc, argv);
  survive_file_limit();
  try {
    wants_json = troupe::asks_for_json(argc, argv);
    troupe::enable_scheduler_plugins();
    const auto code = run_command_line(argc, argv);
    if (wants_json && code != troupe::exit_code::done)
      troupe::print_json_error(code > 128 ? "ended by signal " + std::to_string(code - 128)
                                          : "failed with exit code " + std::to_string(code));
    return with_output(code);
  } catch (const troupe::usage_error& e) {
    complain(e.what());
    return troupe::exit_code::usage;
  } catch (const troupe::input_error& e) {
    complain(e.what());
    return troupe::exit_code::usage;
  } catch (const std::exception& e) {
    complain(e.what());
    return troupe::exit_code::failed;
  }
}
