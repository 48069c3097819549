#include "runtime/swarm/trial.hpp"

#include "runtime/faults/chaos.hpp"
#include "runtime/run/run.hpp"

#include <cctype>
#include <exception>

namespace troupe {

namespace {

constexpr std::uint64_t message_limit = 2'000'000;

/// Stops a run without failures that does not end: nothing happens to any task for 10 minutes, or
/// the same tasks start again and again. Jobs may arrive for longer than 10 minutes.
class swarm_monitor final : public run_monitor {
public:
  void progress(const run_progress& at) override {
    if (at.placed != last.placed || at.finished != last.finished || at.queued != last.queued)
      last_change_ = at.now;
    last = at;
  }

  bool stop_requested() override {
    return last.now - last_change_ > std::chrono::minutes{10} || last.now > std::chrono::hours{1};
  }

  run_progress last;

private:
  instant last_change_{0};
};

swarm_trial try_chaos(const run_settings& settings) {
  const auto outcome = run_chaos(settings, 0, message_limit);
  return {outcome.violation, outcome.faults, outcome.tasks, outcome.starts, outcome.messages};
}

swarm_trial try_calm(const run_settings& settings) {
  swarm_monitor monitor;
  const auto results = run(settings, monitor);
  swarm_trial trial;
  trial.messages = results.messages;
  trial.tasks = monitor.last.finished;
  trial.starts = monitor.last.placed;
  if (results.interrupted)
    trial.failure = "tasks are not over after " + to_string(monitor.last.now) + ", " +
                    std::to_string(monitor.last.queued) + " of them queued";
  for (const auto& check : results.checks)
    if (!check.passed && !trial.failure)
      trial.failure = check.name + ": " + check.detail;
  return trial;
}

} // namespace

swarm_trial try_run(const run_settings& settings, swarm_mode mode) {
  try {
    return mode == swarm_mode::failing ? try_chaos(settings) : try_calm(settings);
  } catch (const std::exception& e) {
    swarm_trial trial;
    trial.failure = std::string{"it ends with: "} + e.what();
    return trial;
  }
}

std::string failure_class(const std::string& failure) {
  std::string shape;
  for (const unsigned char c : failure)
    if (std::isdigit(c) == 0)
      shape += static_cast<char>(c);
    else if (shape.empty() || shape.back() != '#')
      shape += '#';
  return shape;
}

} // namespace troupe
