#pragma once

#include <cstdint>
#include <string>

namespace troupe::trials {

/// A port of loopback for a process that listens on it, is killed, and listens on it again. It is
/// below the ports that the kernel chooses, which connections of other processes may get meanwhile
/// (also one to this very port, which then connects to itself). No other `reserved_port` on this
/// host has the same port.
class reserved_port {
public:
  /// Throws `std::runtime_error` if none is free.
  reserved_port();
  ~reserved_port();
  reserved_port(reserved_port&& other) noexcept;
  reserved_port& operator=(reserved_port&&) = delete;

  std::uint16_t number() const { return number_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(number_); }

private:
  int lock_ = -1;
  std::uint16_t number_ = 0;
};

} // namespace troupe::trials
