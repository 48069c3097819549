#pragma once

#include "nodes/connections/connection_context.hpp"
#include "nodes/connections/connection_log.hpp"
#include "nodes/connections/stream.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace troupe {

/// Identifies the other side of a new connection: makes the TLS handshake if the connection is
/// encrypted, exchanges introductions, and checks that of the other side against its certificate.
/// Has no time limit of its own: see `give_up`.
class handshake : public std::enable_shared_from_this<handshake> {
public:
  /// Called once, unless `give_up` is called. If `peer` is null, `why` is the end of a sentence
  /// about the other side, the connection is closed, and the log has a line about it.
  using handler = std::function<void(const verified_peer& peer, const std::string& why)>;

  handshake(std::shared_ptr<connection_context> context, std::shared_ptr<stream> connection,
            std::shared_ptr<connection_log> log, connection_side side)
    : context_(std::move(context)),
      connection_(std::move(connection)),
      log_(std::move(log)),
      side_(side) {}

  void start(handler done);

  /// Closes the connection without sending a reason; the handler is not called any more.
  void give_up();

private:
  void introduce();
  void read(std::size_t bytes, void (handshake::*then)());
  void read_header();
  void read_body();
  void check(const introduction& claim);
  void refuse(const std::string& why);
  void tls_failed(const asio_error& error);
  void ended(const asio_error& error);
  void finish(const verified_peer& peer, const std::string& why = "");

  std::shared_ptr<connection_context> context_;
  std::shared_ptr<stream> connection_;
  std::shared_ptr<connection_log> log_;
  connection_side side_;
  handler done_;
  introduction_header header_;
  std::string out_;
  std::array<char, introduction_header::longest_body> in_{};
  std::size_t read_ = 0;
};

} // namespace troupe
