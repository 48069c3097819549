#pragma once

#include <cstdint>
#include <string>

namespace troupe {

struct host_port {
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const host_port&, const host_port&) = default;
};

/// Returns a host and a port as one text: an IPv6 address stands in brackets.
inline std::string address_text(const host_port& at) {
  const bool v6 = at.host.find(':') != std::string::npos && !at.host.starts_with('[');
  return (v6 ? '[' + at.host + ']' : at.host) + ':' + std::to_string(at.port);
}

} // namespace troupe
