#pragma once

#include "failures/cluster_process.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe::trials {

/// Separate hosts on one machine: network namespaces, each with a link to a switch, which is a
/// bridge in another namespace. They are invisible from outside. The namespaces have no names and
/// exist only as long as a child of this process, so nothing is left, however this process ends. A
/// cut drops packets without any error, as routers do: hosts have fixed entries for each other's
/// link addresses.
///
/// Requires root and the packages iproute2 and util-linux.
class host_network {
public:
  /// Throws `std::runtime_error` if it cannot be created.
  explicit host_network(std::size_t hosts);
  ~host_network();

  host_network(const host_network&) = delete;
  host_network& operator=(const host_network&) = delete;

  /// Returns why such a network is impossible here, or nothing.
  static std::optional<std::string> why_not();

  /// Returns the address of a host.
  static std::string address(std::size_t host) { return "10.77.0." + std::to_string(host + 1); }

  /// Returns the words before a command that is to run on a host, or on the switch, which reaches
  /// all hosts.
  std::vector<std::string> on_host(std::size_t host) const { return inside(hosts_.at(host)); }
  std::vector<std::string> on_switch() const { return inside(switch_); }

  /// Moves the calling thread to the switch: its new sockets are there. Throws `std::runtime_error`
  /// if it cannot.
  void enter_switch() const;

  /// Cuts a host off from all others; `heal` connects it again.
  void cut(std::size_t host) { set("port" + std::to_string(host), {"down"}); }
  void heal(std::size_t host) { set("port" + std::to_string(host), {"up"}); }

  /// Cuts the connection between two hosts, which both still reach all others; one pair at a time.
  void cut(std::size_t a, std::size_t b) { isolate(a, b, "on"); }
  void heal(std::size_t a, std::size_t b) { isolate(a, b, "off"); }

private:
  static std::vector<std::string> inside(pid_t holder);
  static void run(std::vector<std::string> words, const std::vector<std::string>& more);
  void make(std::size_t hosts);
  void set(const std::string& port, const std::vector<std::string>& to) const;
  void isolate(std::size_t a, std::size_t b, const std::string& how) const;
  void join(std::size_t host) const;
  void introduce(std::size_t host) const;
  void end() noexcept;

  pid_t switch_ = -1;        ///< the process that holds its namespace
  std::vector<pid_t> hosts_; ///< likewise
};

} // namespace troupe::trials
