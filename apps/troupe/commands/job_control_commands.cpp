#include "commands/commands.hpp"
#include "jobs/job_api.hpp"
#include "jobs/job_text.hpp"
#include "settings/toml/duration_text.hpp"
#include "support/json_output.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <poll.h>

namespace troupe {

namespace {

using wait_clock = std::chrono::steady_clock;

constexpr const char* wait_examples = R"(Examples:
  troupe wait 12
  troupe wait 12 13 14 --timeout 10m
Exit code: 0 all have succeeded, 2 bad use, 3 one has failed or was cancelled, 4 no answer from the
cluster, 5 no such job, 124 the time is over and the jobs go on, 130 after Ctrl-C.)";

constexpr const char* cancel_examples = R"(Examples:
  troupe cancel 12
  troupe cancel 12 13

Tasks that run get SIGTERM, and SIGKILL after their grace period.)";

constexpr const char* retry_examples = R"(Examples:
  troupe retry 12

The failed and the cancelled tasks of a job that is over run again.)";

/// So long one question waits, so that Ctrl-C is soon heeded.
constexpr auto one_wait = std::chrono::seconds{2};

/// Between two questions to a cluster that answers at once, since many wait: the pause doubles.
constexpr std::chrono::milliseconds first_pause{20};
constexpr std::chrono::milliseconds longest_pause{1'000};

struct control_options {
  api_access access;
  std::vector<std::string> ids;
  std::string timeout;
  bool as_json = false;
};

/// What goes before the state.
const char* verb_of(const api_json& job) {
  const auto state = job_state_of(job);
  return state == job_state::succeeded || state == job_state::failed ? "has "
         : state == job_state::cancelled                             ? "was "
                                                                     : "is ";
}

/// Returns a job once it is over or the time is; `until` at most.
api_json wait_for(job_api& api, const std::string& id, wait_clock::time_point until) {
  auto delay = first_pause;
  for (;;) {
    const auto asked = wait_clock::now();
    const auto left =
      std::chrono::duration_cast<std::chrono::seconds>(until - asked) + std::chrono::seconds{1};
    const auto job =
      api.job(id, std::clamp<std::chrono::seconds>(left, std::chrono::seconds{1}, one_wait));
    const auto now = wait_clock::now();
    if (is_over(job) || now >= until || caught_signal() != 0)
      return job;
    if (now - asked >= std::chrono::seconds{1}) { // the cluster has waited
      delay = first_pause;
      continue;
    }
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(until - now);
    poll(nullptr, 0, static_cast<int>(std::min(delay, rest).count()));
    delay = std::min(2 * delay, longest_pause);
  }
}

int wait(const control_options& options) {
  const auto until = options.timeout.empty() ? wait_clock::time_point::max() - std::chrono::hours{1}
                                             : wait_clock::now() + parse_duration(options.timeout);
  watch_signals();
  job_api api{options.access};
  auto all = api_json::array();
  int code = exit_code::done;
  for (const auto& id : options.ids) {
    const auto job = wait_for(api, id, until);
    all.push_back(job);
    const bool over = is_over(job);
    if (!options.as_json)
      std::cout << "job " << id << ' ' << verb_of(job) << job_in_words(job)
                << (over ? "" : "; it goes on") << std::endl;
    if (caught_signal() != 0)
      return 128 + caught_signal();
    if (!over)
      code = job_exit::timed_out;
    else if (job_state_of(job) != job_state::succeeded && code == exit_code::done)
      code = job_exit::job_failed;
  }
  if (options.as_json)
    print_json({{"jobs", all}});
  return code;
}

int cancel(const control_options& options) {
  job_api api{options.access};
  auto all = api_json::array();
  for (const auto& id : options.ids) {
    const auto job = api.cancel(id);
    all.push_back(job);
    if (!options.as_json)
      std::cout << "job " << id << ' '
                << (is_over(job) ? "is over: " + job_in_words(job)
                                 : "is being cancelled; 'troupe wait " + id + "' waits for its end")
                << '\n';
  }
  if (options.as_json)
    print_json({{"jobs", all}});
  return exit_code::done;
}

int retry(const control_options& options) {
  job_api api{options.access};
  auto all = api_json::array();
  for (const auto& id : options.ids) {
    const auto answer = api.retry(id);
    all.push_back(answer);
    const auto tasks = answer.value("tasks", 0);
    if (!options.as_json)
      std::cout << "job " << id << ": " << tasks << (tasks == 1 ? " task runs" : " tasks run")
                << " again; 'troupe wait " << id << "' waits for its end\n";
  }
  if (options.as_json)
    print_json({{"jobs", all}});
  return exit_code::done;
}

void check(control_options& options) {
  for (auto& id : options.ids)
    id = job_id_of(id);
  try {
    if (!options.timeout.empty() && parse_duration(options.timeout) < duration::zero())
      throw std::invalid_argument("is negative; expected a time such as \"10m\"");
  } catch (const std::invalid_argument& e) {
    throw usage_error{"--timeout " + options.timeout + ": " + e.what()};
  }
}

CLI::App* add(CLI::App& app, action& chosen, const char* name, const char* what,
              const char* examples, const std::shared_ptr<control_options>& o,
              int (*run)(const control_options&)) {
  auto* command = app.add_subcommand(name, what);
  command->footer(examples);
  command->add_option("JOB", o->ids, "The numbers of the jobs")->required()->type_name("");
  add_api_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->callback([&chosen, o, run] {
    chosen = [o, run] {
      check(*o);
      return with_job_exit_codes(o->as_json, [&] { return run(*o); });
    };
  });
  return command;
}

} // namespace

void add_wait_command(CLI::App& app, action& chosen) {
  const auto o = std::make_shared<control_options>();
  add(app, chosen, "wait", "Wait until jobs are over", wait_examples, o, wait)
    ->add_option("--timeout", o->timeout, "Wait at most so long; default: without limit")
    ->type_name("TIME");
}

void add_cancel_command(CLI::App& app, action& chosen) {
  add(app, chosen, "cancel", "Cancel jobs", cancel_examples, std::make_shared<control_options>(),
      cancel);
}

void add_retry_command(CLI::App& app, action& chosen) {
  add(app, chosen, "retry", "Run the failed tasks of jobs again", retry_examples,
      std::make_shared<control_options>(), retry);
}

} // namespace troupe
