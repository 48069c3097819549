#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace troupe {

class cluster_client;

namespace trials {

/// Asks a cluster for its status over one connection, which costs the host much less than a
/// program for each question.
class status_client {
public:
  status_client();
  ~status_client();

  /// Returns what `troupe status --json` prints, without its member "format", asked at the node
  /// with the role master; null without an answer. Connects again if the address is another one
  /// than before or the connection is broken. `certs` has ca.crt, AS.crt and AS.key; empty: without
  /// TLS.
  nlohmann::json ask(const std::string& address, const std::filesystem::path& certs,
                     const std::string& as);

private:
  std::string address_; ///< to which it is connected
  std::unique_ptr<cluster_client> client_;
};

} // namespace trials
} // namespace troupe
