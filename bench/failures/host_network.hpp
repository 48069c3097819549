#pragma once

#include "failures/cluster_process.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe::trials {

/// Hosts of their own on one machine: network namespaces with a link each to a switch, which is a
/// bridge in a namespace too. Nothing of them is to be seen outside. Namespaces have no names and
/// live as long as a process of this one, so that nothing is left, however this one ends. A cut
/// swallows what is sent and tells nobody, as routers do: hosts know each other's link addresses.
///
/// Takes root and the packages iproute2 and util-linux.
class host_network {
public:
  /// Throws `std::runtime_error` where it cannot be made.
  explicit host_network(std::size_t hosts);
  ~host_network();

  host_network(const host_network&) = delete;
  host_network& operator=(const host_network&) = delete;

  /// Returns why there can be no such network here, if so.
  static std::optional<std::string> why_not();

  /// Where a host is to be reached.
  static std::string address(std::size_t host) { return "10.77.0." + std::to_string(host + 1); }

  /// The words to be put before a command that is to run on a host, or on the switch, which reaches
  /// all of them.
  std::vector<std::string> on_host(std::size_t host) const { return inside(hosts_.at(host)); }
  std::vector<std::string> on_switch() const { return inside(switch_); }

  /// Cuts a host off from all others, and connects it again.
  void cut(std::size_t host) { set("port" + std::to_string(host), {"down"}); }
  void heal(std::size_t host) { set("port" + std::to_string(host), {"up"}); }

  /// Cuts the way between two hosts, which both go on reaching all others; one pair at a time.
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
