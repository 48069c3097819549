#pragma once

#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/connection_log.hpp"

#include <functional>
#include <list>
#include <memory>

namespace troupe {

/// Connected peers that have not yet identified themselves, or have sent no message to CAF. Their
/// number is limited, and each may wait only until the time limit of silence. If a limit is
/// exceeded, the first one is disconnected.
class waiting_room : public std::enable_shared_from_this<waiting_room> {
public:
  /// A waiting peer.
  struct guest {
    std::shared_ptr<connection_log> log;
    std::function<void()> send_away; ///< closes the connection
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  using ticket = std::shared_ptr<guest>;

  explicit waiting_room(std::shared_ptr<connection_context> context)
    : context_(std::move(context)), timer_(context_->io) {}

  /// Adds a peer. Disconnects the first one if there is no room.
  void enter(const ticket& who);

  /// Removes a peer that has sent its message, or whose connection has ended.
  void leave(const ticket& who);

  /// Disconnects all, without a line in the log.
  void close();

private:
  void send_first_away(const std::string& why);
  void watch();

  std::shared_ptr<connection_context> context_;
  std::list<ticket> guests_; ///< in the order in which they came
  asio::steady_timer timer_;
  bool watches_ = false;
};

} // namespace troupe
