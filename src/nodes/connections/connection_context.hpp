#pragma once

#include "nodes/connections/asio.hpp"
#include "nodes/connections/frame_budget.hpp"
#include "nodes/connections/peer_register.hpp"
#include "nodes/routing/message_router.hpp"
#include "security/tls_files.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// Limits of the connections of a process.
struct connection_limits {
  /// In bytes. An outbox may exceed its limit by one message before it is sent.
  std::uint32_t longest_message = 2 * message_router::outbox_limit;
  /// The sum over all connections of their longest announced messages, in bytes.
  std::uint64_t most_announced = 2 * std::uint64_t{longest_message};
  /// The number of peers that may be connected without having identified themselves.
  std::size_t most_waiting = 64;
  /// For the establishment of a TCP connection.
  std::chrono::milliseconds connect{1000};
  /// For the introduction of the other side, and for CAF's first message.
  std::chrono::milliseconds silence{5000};
};

/// The state that all connections of a process share.
struct connection_context {
  explicit connection_context(asio::io_context& of, const connection_limits& with)
    : io(of), limits(with), announced(with.most_announced) {}

  asio::io_context& io;
  const connection_limits limits;
  std::optional<tls_files> files;
  std::shared_ptr<asio::ssl::context> tls; ///< null: no encryption
  introduction own;                        ///< of this process
  std::string log_name;                    ///< name of the node in the log; empty: no log
  peer_register peers;
  frame_budget announced;
  bool closed = false; ///< this process ends: CAF gets no more connections
};

} // namespace troupe
