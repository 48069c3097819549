#pragma once

#include "experiments/processes/execute.hpp"
#include "experiments/processes/launcher.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace troupe::test {

/// Ends every run at once, the last one started first, with what a function says.
class fake_launcher final : public launcher {
public:
  explicit fake_launcher(std::function<run_reply(const run_request&)> reply)
    : reply_(std::move(reply)) {}

  void start(std::size_t id, const run_request& request) override {
    started.push_back(request);
    running_.push_back({id, reply_(request)});
    most_at_once = std::max(most_at_once, running_.size());
  }

  std::optional<finished> wait() override {
    auto last = std::move(running_.back());
    running_.pop_back();
    return last;
  }

  bool stop_requested() override { return started.size() >= stop_after; }

  std::vector<run_request> started;
  std::size_t most_at_once = 0;
  std::size_t stop_after = 1'000'000;

private:
  std::function<run_reply(const run_request&)> reply_;
  std::vector<finished> running_;
};

class silent_monitor final : public execution_monitor {
public:
  void progress(const execution_progress& at) override { last = at; }
  void failed(const std::string& text) override { failures.push_back(text); }

  execution_progress last;
  std::vector<std::string> failures;
};

/// A reply with a summary that has only `x` and one self-check.
inline run_reply reply_with(double x, bool passed = true) {
  nlohmann::ordered_json summary{
    {"x", x}, {"checks", {{{"name", "balance"}, {"passed", passed}, {"detail", "1 = 1"}}}}};
  return {passed ? 0 : 1, "", summary};
}

/// Returns the number after "key=" in what a request sets last, or `otherwise`.
inline double number_set(const run_request& request, const std::string& key, double otherwise) {
  double number = otherwise;
  for (const auto& assignment : request.set)
    if (assignment.starts_with(key + "="))
      number = std::stod(assignment.substr(key.size() + 1));
  return number;
}

} // namespace troupe::test
