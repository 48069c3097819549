#include "cluster/policy_line.hpp"
#include "commands/commands.hpp"
#include "nodes/client/policies_json.hpp"
#include "policies/policy_text.hpp"
#include "policies/registry.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

constexpr const char* policy_examples = R"(Examples:
  troupe policy
  troupe policy set latency-first
  troupe policy set adaptive --set policy.tau=500ms --set policy.ema_weight=0.2
  troupe policy set best-fit --scheduler 0 --scheduler 3
  troupe policy set worst-fit --at 10.0.0.1:7400 --certs certs --as laptop
  troupe policy set worst-fit --api http://127.0.0.1:8980/)";

constexpr const char* set_footer = R"(Examples:
  troupe policy set latency-first
  troupe policy set adaptive --set policy.tau=500ms
  troupe policy set best-fit --scheduler 0 --scheduler 3

The change takes effect between two decisions; tasks that wait or run stay as they are. Settings of
the policy that are not named have the values of the settings of the cluster. Schedulers that are
away take the policy when they are back; those that come later, or elsewhere, have it too.)";

constexpr auto look_interval = std::chrono::milliseconds{50};
/// How long schedulers that are there may take to confirm. Their nodes report twice per second.
constexpr auto confirm_patience = std::chrono::seconds{15};
/// How long a scheduler that is on no node is looked for: one that has just moved is in the next
/// reports.
constexpr auto away_patience = std::chrono::seconds{2};

struct policy_options {
  policy_access access;
  policy_request asked;
  bool as_json = false;
};

int show_policies(const policy_options& options) {
  const auto all = open_policy_line(options.access)->policies();
  if (all.rows.empty())
    throw std::runtime_error("the cluster has not begun, so no scheduler has a policy yet");
  if (options.as_json)
    print_json(policies_json(all));
  else
    write_policies(std::cout, all);
  return exit_code::done;
}

/// What has become of the orders.
struct order_outcome {
  std::map<policy_presence, std::vector<scheduler_id>> by_state;
  std::string why_not; ///< of one that has refused

  const std::vector<scheduler_id>& of(policy_presence state) { return by_state[state]; }
};

order_outcome outcome_of(const policy_table& all, const std::vector<policy_order>& orders) {
  order_outcome found;
  const auto& rows = all.rows;
  for (const auto& order : orders)
    for (const auto s : order.schedulers) {
      const auto row =
        std::ranges::find_if(rows, [&](const policy_row& r) { return r.policy.scheduler == s; });
      const bool later = row != rows.end() && row->policy.since > order.at;
      if (row == rows.end())
        continue;
      found.by_state[later ? policy_presence::in_force : row->state].push_back(s);
      if (!later && found.why_not.empty())
        found.why_not = row->why_not;
    }
  for (auto& [_, numbers] : found.by_state)
    std::ranges::sort(numbers);
  return found;
}

std::string schedulers_text(const std::vector<scheduler_id>& numbers) {
  return (numbers.size() == 1 ? "scheduler " : "schedulers ") + numbers_text(numbers);
}

/// "schedulers 0 to 3 have", "scheduler 2 has".
std::string have_text(const std::vector<scheduler_id>& numbers) {
  return schedulers_text(numbers) + (numbers.size() == 1 ? " has" : " have");
}

void tell(const std::vector<policy_order>& orders, order_outcome& what) {
  const auto& in_force = what.of(policy_presence::in_force);
  for (const auto& order : orders) {
    std::vector<scheduler_id> these;
    std::ranges::set_intersection(order.schedulers, in_force, std::back_inserter(these));
    if (!these.empty())
      std::cout << have_text(these) << " policy " << policy_text(order.to) << " now\n";
  }
  if (const auto& away = what.of(policy_presence::away); !away.empty())
    std::cout << schedulers_text(away) << (away.size() == 1 ? " is" : " are")
              << " away, and will have it when back; 'troupe policy' shows it\n";
}

nlohmann::ordered_json json_of(const std::vector<policy_order>& orders, order_outcome& what) {
  return {{"changes", orders_json(orders)},
          {"in_force", what.of(policy_presence::in_force)},
          {"away", what.of(policy_presence::away)},
          {"pending", what.of(policy_presence::pending)},
          {"refused", what.of(policy_presence::refused)}};
}

/// Says that some schedulers that are there have not taken the policy.
int complain(order_outcome& what) {
  if (const auto& refused = what.of(policy_presence::refused); !refused.empty())
    std::cerr << "troupe: " << schedulers_text(refused)
              << (refused.size() == 1 ? " keeps its policy: " : " keep their policies: ")
              << what.why_not << '\n';
  if (const auto& pending = what.of(policy_presence::pending); !pending.empty())
    std::cerr << "troupe: " << have_text(pending) << " not confirmed it within "
              << confirm_patience.count()
              << " s, and will have it when they go on; 'troupe policy' shows it\n";
  return exit_code::failed;
}

/// Looks until all schedulers that are there have confirmed or refused.
order_outcome wait_for_schedulers(policy_line& line, const std::vector<policy_order>& orders) {
  const auto from = std::chrono::steady_clock::now();
  for (;;) {
    auto what = outcome_of(line.policies(), orders);
    const auto passed = std::chrono::steady_clock::now() - from;
    const bool settled = what.of(policy_presence::pending).empty() &&
                         (what.of(policy_presence::away).empty() || passed >= away_patience);
    if (settled || passed >= confirm_patience || caught_signal() != 0)
      return what;
    std::this_thread::sleep_for(look_interval);
  }
}

int set_policies(const policy_options& options) {
  watch_signals();
  const auto line = open_policy_line(options.access);
  const auto reply = line->change(options.asked);
  if (!reply.why_not.empty() && reply.bad_input)
    throw usage_error{"policy set: " + reply.why_not};
  if (!reply.why_not.empty())
    throw std::runtime_error("policy set: " + reply.why_not);
  auto what = wait_for_schedulers(*line, reply.orders);
  if (options.as_json)
    print_json(json_of(reply.orders, what));
  else
    tell(reply.orders, what);
  if (caught_signal() != 0)
    return 128 + caught_signal();
  const bool done =
    what.of(policy_presence::pending).empty() && what.of(policy_presence::refused).empty();
  return done ? exit_code::done : complain(what);
}

void add_options(CLI::App& command, policy_options& options) {
  add_policy_access(command, options.access);
  add_json_option(command, options.as_json);
}

std::vector<std::string> names_of_policies() {
  std::vector<std::string> names;
  for (const auto* policy : registered(plugin_kind::placement_policy))
    names.emplace_back(policy->name);
  return names;
}

} // namespace

void add_policy_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("policy", "Show or change the policies of a running cluster");
  command->footer(policy_examples);
  auto o = std::make_shared<policy_options>();
  add_options(*command, *o);
  command->require_subcommand(0, 1);
  auto* showing = command->add_subcommand("show", "Show the policy of each scheduler");
  showing->footer("Examples:\n  troupe policy show\n  troupe policy show --json");
  add_options(*showing, *o);
  auto* setting = command->add_subcommand("set", "Give schedulers another policy");
  setting->footer(set_footer);
  suggest(setting->add_option("NAME", o->asked.policy, "Name of the policy; see 'troupe policies'")
            ->required()
            ->type_name(""),
          names_of_policies());
  setting
    ->add_option("--set", o->asked.settings,
                 "A setting of the policy, such as policy.tau=500ms; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  setting
    ->add_option("--scheduler", o->asked.schedulers,
                 "Number of a scheduler; may be repeated; default: all that have a policy")
    ->allow_extra_args(false)
    ->type_name("N");
  add_options(*setting, *o);
  const auto choose = [&chosen, o](CLI::App* of, int (*run)(const policy_options&)) {
    of->callback([&chosen, o, run] {
      if (!chosen) // the innermost command is called first
        chosen = [o, run] { return with_job_exit_codes(o->as_json, [&] { return run(*o); }); };
    });
  };
  choose(setting, set_policies);
  choose(showing, show_policies);
  choose(command, show_policies);
}

} // namespace troupe
