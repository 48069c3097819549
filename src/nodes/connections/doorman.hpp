#pragma once

#include "nodes/connections/caf_socket.hpp"

#include <caf/io/doorman.hpp>
#include <caf/io/network/default_multiplexer.hpp>

#include <atomic>
#include <functional>
#include <string>

namespace troupe {

/// What CAF sees of an acceptor: established connections come through it. CAF's network thread runs
/// it.
class doorman final : public caf::io::doorman {
public:
  /// `closed` is called in CAF's network thread when CAF accepts no more.
  doorman(caf::io::network::default_multiplexer& mx, std::uint16_t port,
          std::function<void()> closed);

  /// Hands a connection to CAF. May be called from any thread.
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
  caf::io::scribe_ptr next_; ///< that has come
};

} // namespace troupe
