#pragma once

#include "nodes/connections/caf_socket.hpp"

#include <caf/io/doorman.hpp>
#include <caf/io/network/default_multiplexer.hpp>

#include <atomic>
#include <functional>
#include <string>

namespace troupe {

/// CAF's view of an acceptor, through which it receives established connections. CAF's network
/// thread runs it.
class doorman final : public caf::io::doorman {
public:
  /// Calls `closed` in CAF's network thread when CAF accepts no more connections.
  doorman(caf::io::network::default_multiplexer& mx, std::uint16_t port,
          std::function<void()> closed);

  /// Passes a connection to CAF. May be called from any thread.
  void pass(caf_socket socket);

  bool new_connection() override;
  void launch() override {}
  void graceful_shutdown() override;
  std::string addr() const override { return {}; }
  std::uint16_t port() const override { return port_; }
  void add_to_loop() override {}
  void remove_from_loop() override {}

private:
  caf::io::network::default_multiplexer& mx_;
  std::uint16_t port_;
  std::function<void()> closed_;
  caf::io::scribe_ptr next_; ///< of the connection that was passed
};

} // namespace troupe
