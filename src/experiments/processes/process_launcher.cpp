#include "experiments/processes/process_launcher.hpp"

#include <csignal>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr int patience = 200; ///< ms

} // namespace

process_launcher::process_launcher(config c) : config_(std::move(c)) {}

void process_launcher::start(std::size_t id, const run_request& request) {
  const auto& store = config_.store;
  if (config_.resume)
    if (auto earlier = store.find(request)) {
      ready_.push_back({id, std::move(*earlier), true});
      ++reused_;
      return;
    }
  store.clear(request);
  std::vector<std::string> words{"run",        request.config.string(),      "--quiet",
                                 "--seed",     std::to_string(request.seed), "--no-report",
                                 "--end-with", std::to_string(getpid())};
  for (const auto& assignment : request.set)
    words.insert(words.end(), {"--set", assignment});
  words.insert(words.end(), {"--out", store.folder_of(request).string()});
  children_.push_back({id, request, child_process(config_.program, std::move(words))});
}

std::optional<launcher::finished> process_launcher::wait() {
  if (!ready_.empty()) {
    auto first = std::move(ready_.front());
    ready_.pop_front();
    return first;
  }
  if (stop_requested() && !std::exchange(told_to_stop_, true))
    for (const auto& c : children_)
      c.process.send(SIGTERM);
  std::vector<pollfd> pipes;
  for (const auto& c : children_)
    pipes.push_back({c.process.errors(), POLLIN, 0});
  if (poll(pipes.data(), pipes.size(), patience) <= 0)
    return std::nullopt;
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    if (pipes[i].revents == 0 || children_[i].process.read_errors())
      continue;
    auto ended = std::move(children_[i]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    return finished{ended.id, end_of(ended), false};
  }
  return std::nullopt;
}

run_reply process_launcher::end_of(child& c) {
  const auto& store = config_.store;
  run_reply reply;
  reply.exit_code = c.process.wait();
  reply.errors = c.process.last_errors();
  reply.summary = store.load(c.request);
  if (reply.exit_code == 0 && reply.summary.is_object())
    store.keep(c.request);
  else if (reply.exit_code == 0) {
    reply.exit_code = 1;
    reply.errors = "it has left no results in " + store.folder_of(c.request).string();
  }
  return reply;
}

bool process_launcher::stop_requested() {
  return config_.stop && config_.stop();
}

} // namespace troupe
