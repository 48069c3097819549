#pragma once

#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/connection_log.hpp"

#include <functional>
#include <list>
#include <memory>

namespace troupe {

/// Those who have connected and not yet said who they are, or nothing that CAF could understand. At
/// most so many wait, and none for longer than the limit of silence: the first one is sent away.
class waiting_room : public std::enable_shared_from_this<waiting_room> {
public:
  /// One that waits.
  struct guest {
    std::shared_ptr<connection_log> log;
    std::function<void()> send_away; ///< closes the connection
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  using ticket = std::shared_ptr<guest>;

  explicit waiting_room(std::shared_ptr<connection_context> context)
    : context_(std::move(context)), timer_(context_->io) {}

  /// Sends the first one away if there is no room.
  void enter(const ticket& who);

  /// Lets one go who has said something, or whose connection has ended.
  void leave(const ticket& who);

  /// Sends all away; nothing is logged.
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
