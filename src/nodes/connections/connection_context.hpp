#pragma once

#include "nodes/connections/asio.hpp"
#include "nodes/connections/frame_budget.hpp"
#include "nodes/connections/peer_register.hpp"
#include "nodes/post.hpp"
#include "security/tls_files.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// What the connections of a process may take.
struct connection_limits {
  /// A box may grow beyond its limit by one message before it is emptied. In bytes.
  std::uint32_t longest_message = 2 * post::box_limit;
  /// What the messages that all connections announce may take together, in bytes.
  std::uint64_t most_announced = 2 * std::uint64_t{longest_message};
  /// So many others may have connected without having said who they are.
  std::size_t most_waiting = 64;
  /// For a TCP connection to be made.
  std::chrono::milliseconds connect{1000};
  /// For the other side to say who it is, and for CAF's first message.
  std::chrono::milliseconds silence{5000};
};

/// What all connections of a process share.
struct connection_context {
  explicit connection_context(asio::io_context& of, const connection_limits& with)
    : io(of), limits(with), announced(with.most_announced) {}

  asio::io_context& io;
  const connection_limits limits;
  std::optional<tls_files> files;
  std::shared_ptr<asio::ssl::context> tls; ///< null: nothing is encrypted
  introduction own;                        ///< of this process
  std::string log_name;                    ///< in the log; empty: nothing is logged
  peer_register peers;
  frame_budget announced;
  bool closed = false; ///< this process ends: CAF gets no more connections
};

} // namespace troupe
