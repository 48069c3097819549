#pragma once

#include "nodes/connections/caf_socket.hpp"
#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/stream.hpp"

#include <functional>
#include <memory>
#include <string>

namespace troupe {

class connection_log;

/// Makes one connection to another process, within time limits.
class connector : public std::enable_shared_from_this<connector> {
public:
  /// Called once, unless this process ends: with CAF's end of the connection, or with -1 and the
  /// reason, as the end of a sentence about the other side.
  using handler = std::function<void(caf_socket, const std::string& why)>;

  /// `host` is a name or an address. May be called from any thread.
  static void connect(const std::shared_ptr<connection_context>& context, const std::string& host,
                      std::uint16_t port, handler done);

  /// For `connect`.
  connector(std::shared_ptr<connection_context> context, handler done)
    : context_(std::move(context)),
      done_(std::move(done)),
      resolver_(context_->io),
      socket_(context_->io),
      timer_(context_->io) {}

private:
  void find(const std::string& host, std::uint16_t port);
  void connect_to(const tcp::resolver::results_type& places);
  void shake_hands();
  void establish(const std::shared_ptr<stream>& connection,
                 const std::shared_ptr<connection_log>& log, const verified_peer& peer);
  void wait(std::chrono::milliseconds limit, std::string why);
  void finish(caf_socket socket, const std::string& why);

  std::shared_ptr<connection_context> context_;
  handler done_;
  tcp::resolver resolver_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  std::function<void()> give_up_; ///< closes the parts that exist so far
};

} // namespace troupe
