#pragma once

#include "web/limits.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace troupe {

/// Limits the rate of requests of each client address. For one thread at a time.
class request_rate {
public:
  using time = std::chrono::steady_clock::time_point;
  using span = std::chrono::steady_clock::duration;

  /// Addresses that are remembered. More of them share one limit.
  static constexpr std::size_t most_addresses = 1024;

  explicit request_rate(const web_limits& limits);

  /// Counts a request at `now`. Returns how long it has to wait; nothing: longer than the limit
  /// allows, and it is not counted.
  std::optional<span> take(const std::string& address, time now);

private:
  span each_;  ///< between two requests
  span ahead_; ///< of requests that come at once
  span longest_wait_;
  std::map<std::string, time> due_; ///< when the next request of an address would be on time
};

} // namespace troupe
