#pragma once

#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/connection_log.hpp"
#include "nodes/connections/frame_limit.hpp"
#include "nodes/connections/stream.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Carries the bytes of an established connection between the other process and CAF, which has one
/// end of a pair of sockets. Each direction has one buffer, and reads again once that is passed on.
/// Incoming bytes are checked before CAF sees them: see `frame_limit` and `frame_budget`. CAF sees
/// a long message only when all of it has arrived: it allocates memory for all of a message at
/// once, in the thread that receives the messages of all connections.
class carrier : public std::enable_shared_from_this<carrier> {
public:
  using local_socket = asio::local::stream_protocol::socket;

  /// `near` is this side's end of the pair.
  carrier(std::shared_ptr<connection_context> context, std::shared_ptr<stream> far,
          local_socket near, verified_peer peer, std::shared_ptr<connection_log> log);
  ~carrier();

  /// Calls `heard` when the first message for CAF has arrived, or when the connection is closed.
  void start(std::function<void()> heard);

  /// Closes both sides.
  void close();

private:
  void read_far();
  void read_near();
  void pass_on(std::string_view bytes);
  bool admits(std::string_view bytes);
  void note_heard();
  void leave();

  std::shared_ptr<connection_context> context_;
  std::shared_ptr<stream> far_;
  local_socket near_;
  verified_peer peer_;
  std::shared_ptr<connection_log> log_;
  std::function<void()> heard_;
  asio::steady_timer linger_;
  frame_limit frames_;
  std::uint64_t held_ = 0; ///< its part of the budget
  bool leaving_ = false;   ///< CAF has closed its end
  bool closed_ = false;
  std::vector<char> in_;
  std::vector<char> out_;
  std::string early_; ///< what has arrived of a long message
  std::string sent_;  ///< the same, on its way to CAF
};

} // namespace troupe
