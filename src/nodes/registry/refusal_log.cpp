#include "nodes/registry/refusal_log.hpp"

#include "model/base/log.hpp"
#include "nodes/registry/log_limit.hpp"

#include <mutex>

namespace troupe {

namespace {

constexpr std::uint32_t lines_of_a_kind = 10;
constexpr auto refusal_interval = std::chrono::seconds{10};

std::mutex refusal_mutex;
log_limit refusal_limit{lines_of_a_kind, refusal_interval}; // guarded by the mutex

void sum_up(const std::string& node, log_limit::time now) {
  const std::lock_guard lock{refusal_mutex};
  for (const auto& [kind, n] : refusal_limit.take_left_out(now))
    log::warn("node {}: {} more {} since the last line about one", node, n, kind);
}

} // namespace

void log_refusal(log::level level, const std::string& kind, const std::string& node,
                 const std::string& text) {
  if (!log::enabled(level))
    return;
  const std::lock_guard lock{refusal_mutex};
  if (refusal_limit.admits(kind, std::chrono::steady_clock::now()))
    log::line(level, "node {}: {}", node, text);
}

void sum_up_refusals(const std::string& node) {
  sum_up(node, std::chrono::steady_clock::now());
}

void sum_up_all_refusals(const std::string& node) {
  sum_up(node, std::chrono::steady_clock::now() + refusal_interval);
}

} // namespace troupe
