#include "web/request_rate.hpp"

#include <algorithm>

namespace troupe {

request_rate::request_rate(const web_limits& limits)
  : each_(std::chrono::duration_cast<span>(
      std::chrono::duration<double>{1 / limits.requests_per_second})),
    ahead_(std::chrono::duration_cast<span>(
      std::chrono::duration<double>{limits.requests_at_once / limits.requests_per_second})),
    longest_wait_(limits.longest_wait) {}

std::optional<request_rate::span> request_rate::take(const std::string& address, time now) {
  if (due_.size() >= most_addresses && !due_.contains(address))
    std::erase_if(due_, [now](const auto& known) { return known.second <= now; });
  const bool crowded = due_.size() >= most_addresses && !due_.contains(address);
  auto& due = due_[crowded ? std::string{} : address];
  const auto on_time = std::max(due, now);
  const auto wait = std::max(on_time - now - ahead_, span::zero());
  if (wait > longest_wait_)
    return std::nullopt;
  due = on_time + each_;
  return wait;
}

} // namespace troupe
