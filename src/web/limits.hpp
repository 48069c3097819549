#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// What clients may cost. A client that exceeds a limit gets an error or is disconnected; others
/// are served as before.
struct web_limits {
  std::uint32_t header_bytes = 16 << 10;       ///< of a request, else 431
  std::uint64_t body_bytes = 1 << 20;          ///< of a request, else 413
  std::size_t connections = 128;               ///< beyond, the one that is idle longest is closed
  std::size_t event_streams = 32;              ///< beyond, 503
  double requests_per_second = 200;            ///< of one address: further ones wait, then get 429
  double requests_at_once = 100;               ///< that do not wait
  std::chrono::milliseconds longest_wait{500}; ///< before 429
  std::chrono::milliseconds request{15'000};   ///< for a whole request, and between two requests
  std::chrono::milliseconds write{15'000};     ///< for each write of a response or of events
  std::chrono::milliseconds answer{10'000};    ///< for a handler, else 504
  std::chrono::milliseconds silence{15'000};   ///< of a stream, before a comment keeps it open
};

} // namespace troupe
