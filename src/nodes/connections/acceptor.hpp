#pragma once

#include "nodes/connections/caf_socket.hpp"
#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/stream.hpp"
#include "nodes/connections/waiting_room.hpp"

#include <functional>
#include <memory>
#include <string>

namespace troupe {

/// Listens for connections, identifies the other side, and passes accepted connections on.
class acceptor : public std::enable_shared_from_this<acceptor> {
public:
  using handler = std::function<void(caf_socket)>;

  /// Starts to listen. `host` is a name or an address; port 0: a free one. Throws
  /// `boost::system::system_error` if it cannot listen.
  acceptor(std::shared_ptr<connection_context> context, const std::string& host,
           std::uint16_t port);

  std::uint16_t port() const { return port_; }

  /// Calls `hand_over` with each established connection. May be called from any thread.
  void start(handler hand_over);

  /// Closes the port, and the connections whose peers have not identified themselves yet. May be
  /// called from any thread; takes effect soon after.
  void stop();

private:
  void accept();
  void receive(tcp::socket socket);
  void establish(const waiting_room::ticket& guest, const std::shared_ptr<stream>& connection,
                 const verified_peer& peer);

  std::shared_ptr<connection_context> context_;
  tcp::acceptor listens_;
  std::uint16_t port_ = 0;
  asio::steady_timer pause_; ///< used while there are no file descriptors
  std::shared_ptr<waiting_room> room_;
  handler hand_over_;
};

} // namespace troupe
