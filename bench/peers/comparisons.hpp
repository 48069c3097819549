#pragma once

#include <string>
#include <vector>

namespace troupe::peers {

/// A program that does the same work as Troupe.
struct peer {
  std::string name;
  std::string program; ///< beside `peers_bench`
  std::vector<std::string> arguments;
  std::vector<std::string> brief; ///< added for a quick look
};

/// A work for Troupe and its peers.
struct comparison {
  std::string name;
  std::string config; ///< below configs/
  std::vector<std::string> overrides;
  std::vector<std::string> brief; ///< overrides for a quick look
  std::vector<peer> peers;
  bool by_rate = false;    ///< the ratio is that of tasks per CPU second, ours to the peer's
  bool simulation = false; ///< it needs SimGrid
};

/// All works that are compared.
std::vector<comparison> comparisons();

} // namespace troupe::peers
