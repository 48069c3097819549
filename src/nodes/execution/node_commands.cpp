#include "nodes/execution/node_commands.hpp"

#include "model/base/log.hpp"
#include "nodes/agent/incarnation_file.hpp"
#include "nodes/registry/error_text.hpp"
#include "process/base/host_clock.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace troupe {

namespace {

/// The gateway gives up on other nodes sooner.
constexpr auto service_patience = std::chrono::seconds{6};

/// What fits well into one message.
constexpr std::uint32_t most_output = 256 << 10;

/// What commands inherit of the environment of the node.
constexpr const char* inherited[] = {"PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"};

std::string text_of(const std::optional<group_of_commands>& groups) {
  if (!groups)
    return "no control group may be made here: the memory of commands is limited by looking at it, "
           "their CPU time is not";
  return "commands get control groups in " + groups->directory.string() +
         (groups->limits_memory ? ", which limit their memory" : "; memory is limited by looking") +
         (groups->limits_cpu ? " and CPU time" : "; CPU time is not limited");
}

/// The small program for it, if it was built and installed with this one; else this one.
std::vector<std::string> supervise_program() {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  for (const auto* folder : {".", "../libexec/troupe"}) {
    auto small = (self.parent_path() / folder / "troupe-supervise").lexically_normal();
    if (access(small.c_str(), X_OK) == 0)
      return {small.string()};
  }
  return {self.string(), "supervise"};
}

} // namespace

node_commands::node_commands(caf::actor_system& system, const node_options& options)
  : system_(system), options_(options) {}

command_rules node_commands::rules() const {
  command_rules rules;
  rules.supervise = supervise_program();
  rules.supervise.insert(rules.supervise.end(),
                         {"--end-with", std::to_string(options_.commands.tied_to)});
  for (const auto* name : inherited)
    if (const auto* value = std::getenv(name))
      rules.env[name] = value;
  rules.env.try_emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  rules.user = options_.commands.user;
  if (rules.user.is_set())
    rules.env["USER"] = rules.user.name;
  rules.groups = prepare_group_of_commands();
  log::info("node {}: {}", options_.name, text_of(rules.groups));
  return rules;
}

std::shared_ptr<node_executor> node_commands::make_executor(std::function<instant()> now) {
  const auto folders =
    std::make_shared<task_folders>(std::filesystem::absolute(options_.state) / "tasks");
  command_executor_config config;
  config.node = options_.name;
  config.boot =
    rising_number(options_.state / "process-number", static_cast<std::uint64_t>(host_utc_ns()));
  config.folders = folders;
  config.rules = rules();
  config.ask = [this](const work_report& report) { return ask(report); };
  config.now = std::move(now);
  config.keeps_commands = options_.commands.keeps_commands;
  const auto made = std::make_shared<command_executor>(std::move(config));
  const std::lock_guard lock{mutex_};
  folders_ = folders;
  executor_ = made;
  return made;
}

work_answer node_commands::ask(const work_report& report) {
  std::optional<work_answer> answer;
  std::string why;
  caf::scoped_actor self{system_};
  self->request(way_, service_patience, report)
    .receive([&](work_answer& a) { answer = std::move(a); },
             [&](const caf::error& e) { why = error_text(system_, e); });
  if (!answer)
    throw std::runtime_error(why);
  return std::move(*answer);
}

void node_commands::end() {
  const auto running = [&] {
    const std::lock_guard lock{mutex_};
    return executor_;
  }();
  if (running)
    running->end();
}

output_reply node_commands::read(const output_request& asked) const {
  const auto folders = [&] {
    const std::lock_guard lock{mutex_};
    return folders_;
  }();
  output_reply reply;
  if (!folders)
    return reply;
  auto found =
    folders->read(asked.which, asked.errors, asked.offset, std::min(asked.limit, most_output));
  if (found)
    reply = {true, found->offset, found->size, std::move(found->bytes)};
  return reply;
}

} // namespace troupe
