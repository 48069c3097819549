#include "cluster/cluster_access.hpp"
#include "commands/commands.hpp"
#include "nodes/client/cluster_text.hpp"
#include "report/text/text.hpp"
#include "support/json_output.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

constexpr const char* drain_examples = R"(Examples:
  troupe drain node-3
  troupe drain node-3 --wait
  troupe drain rack-2 --at 10.0.0.1:7400 --certs certs --as laptop

The node's owners and schedulers move to other nodes, and no more tasks start on its machines.
The empty node stays in the cluster until it is stopped. When it is restarted, it takes part again.)";

constexpr auto drain_interval = std::chrono::milliseconds{500};
constexpr auto drain_pause = std::chrono::milliseconds{50};
constexpr auto progress_interval = std::chrono::seconds{5}; // between lines on standard error
constexpr auto silence_limit = std::chrono::seconds{15};    // nodes that are cut off reconnect

struct drain_options {
  cluster_access access;
  std::string node;
  bool wait = false;
  bool as_json = false;
};

const node_entry* find(const cluster_report& all, const std::string& name) {
  const auto it =
    std::ranges::find_if(all.nodes.nodes, [&](const node_entry& e) { return e.who.name == name; });
  return it == all.nodes.nodes.end() ? nullptr : &*it;
}

/// Refuses a drain that would never end: another node must be able to take over the members.
void check_that_others_can(const cluster_report& all, const std::string& name) {
  const auto* node = find(all, name);
  if (node == nullptr)
    return; // the master's answer lists the nodes
  const auto check = [&](role what, std::uint32_t node_roles::*limit) {
    const auto members = std::ranges::count(all.places, what, &member_entry::what);
    std::int64_t room = 0;
    for (const auto& e : all.nodes.nodes)
      if (e.who.name != name && e.present && !e.draining)
        room += e.who.roles.*limit;
    if (node->who.roles.*limit == 0 || members <= room)
      return;
    const auto each = std::string{to_string(what)} + 's';
    throw std::runtime_error("drain " + name + ": " +
                             (room == 0 ? "no other node can take its " + each
                                        : "the other nodes take " + std::to_string(room) + " of " +
                                            std::to_string(members) + ' ' + each + " at most (--" +
                                            each + ")"));
  };
  check(role::owner, &node_roles::owners);
  check(role::scheduler, &node_roles::schedulers);
}

void pause_between_looks() {
  const auto until = std::chrono::steady_clock::now() + drain_interval;
  while (caught_signal() == 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(drain_pause);
}

cluster_report status_while_draining(cluster_client& line, const std::string& name) try {
  return line.status();
} catch (const std::runtime_error& e) {
  throw std::runtime_error("drain " + name + ": the cluster has ended, or its master cannot be " +
                           "reached any more, before " + name + " was empty: " + e.what());
}

/// Shows on standard error how a node is drained.
class drain_progress {
public:
  explicit drain_progress(std::string name) : name_(std::move(name)) {}

  void show(const node_report& report) {
    silent_from_.reset();
    const auto members = residents_text(report);
    const auto now = clock::now();
    if (members == shown_ && now < next_)
      return;
    std::cerr << name_ << ": " << members << "; " << count_text(report.tasks_running)
              << " tasks run" << std::endl;
    shown_ = members;
    next_ = now + progress_interval;
  }

  /// Returns whether the node, which has no connection to the master, counts as gone.
  bool is_gone() {
    const auto now = clock::now();
    if (!silent_from_) {
      silent_from_ = now;
      std::cerr << name_ << " cannot be reached" << std::endl;
    }
    return now - *silent_from_ >= silence_limit;
  }

private:
  using clock = std::chrono::steady_clock;

  std::string name_;
  std::string shown_;
  clock::time_point next_;
  std::optional<clock::time_point> silent_from_;
};

int end_drain(const drain_options& options, const std::string& state, const std::string& text,
              int code = exit_code::done) {
  if (options.as_json)
    print_json({{"node", options.node}, {"state", state}});
  else
    std::cout << options.node << ' ' << text << '\n';
  return code;
}

int wait_until_empty(cluster_client& line, const drain_options& options) {
  const auto& name = options.node;
  drain_progress progress{name};
  for (;;) {
    const auto all = status_while_draining(line, name);
    const auto* node = find(all, name);
    if (node == nullptr)
      return end_drain(options, "left", "has left");
    if (!node->draining)
      throw std::runtime_error("drain " + name + ": it was restarted, and takes part as before");
    const auto* report = report_of(all, *node);
    if (!node->present && progress.is_gone())
      return end_drain(options, "gone", "is gone", exit_code::failed);
    if (node->present && report != nullptr) {
      if (is_empty(*report))
        return end_drain(options, "empty", "is empty");
      progress.show(*report);
    }
    pause_between_looks();
    if (caught_signal() != 0)
      return 128 + caught_signal();
  }
}

int execute(const drain_options& options) {
  watch_signals();
  cluster_client line{contact_of(options.access)};
  check_that_others_can(line.status(), options.node);
  line.drain(options.node);
  if (options.wait)
    return wait_until_empty(line, options);
  return end_drain(options, "draining", "is draining; 'troupe nodes' shows the progress");
}

} // namespace

void add_drain_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("drain", "Drain a node of a running cluster");
  command->footer(drain_examples);
  auto o = std::make_shared<drain_options>();
  command->add_option("NODE", o->node, "Name of the node")->required()->type_name("");
  add_cluster_access(*command, o->access);
  add_json_option(*command, o->as_json);
  command->add_flag("--wait", o->wait, "Wait until the node is empty");
  command->callback([&chosen, o] { chosen = [o] { return execute(*o); }; });
}

} // namespace troupe
