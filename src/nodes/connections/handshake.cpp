#include "nodes/connections/handshake.hpp"

#include "model/base/log.hpp"
#include "nodes/connections/peer_check.hpp"
#include "nodes/connections/tls_context.hpp"
#include "report/text/printable.hpp"

namespace troupe {

void handshake::start(handler done) {
  done_ = std::move(done);
  connection_->shake_hands(side_, [self = shared_from_this()](asio_error error) {
    if (error)
      return self->tls_failed(error);
    if (self->side_ == connection_side::connects)
      return self->introduce();
    self->read(introduction_header::size, &handshake::read_header);
  });
}

void handshake::give_up() {
  done_ = nullptr;
  log_->close();
  connection_->close();
}

void handshake::introduce() {
  out_ = write_introduction(context_->own);
  connection_->write(asio::buffer(out_),
                     [self = shared_from_this()](asio_error error, std::size_t) {
                       if (error)
                         return self->ended(error);
                       self->read(introduction_header::size, &handshake::read_header);
                     });
}

void handshake::read(std::size_t bytes, void (handshake::*then)()) {
  const auto rest = asio::buffer(in_.data() + read_, bytes - read_);
  connection_->read_some(rest,
                         [self = shared_from_this(), bytes, then](asio_error error, std::size_t n) {
                           if (error)
                             return self->ended(error);
                           self->read_ += n;
                           if (self->read_ < bytes)
                             return self->read(bytes, then);
                           self->read_ = 0;
                           (self.get()->*then)();
                         });
}

void handshake::read_header() {
  const auto found = read_introduction_header({in_.data(), introduction_header::size});
  if (!found || (found->refuses && side_ == connection_side::accepts))
    return refuse("it does not introduce itself as a node of Troupe does");
  header_ = *found;
  read(header_.body, &handshake::read_body);
}

void handshake::read_body() {
  const std::string_view body{in_.data(), header_.body};
  if (header_.refuses) {
    log_->close();
    return finish(nullptr,
                  "it refuses this process: " + printable(std::string{body}, header_.body));
  }
  const auto claim = read_introduction(body);
  if (!claim)
    return refuse("it does not introduce itself as a node of Troupe does");
  check(*claim);
}

void handshake::check(const introduction& claim) {
  if (const auto why = why_not(claim, context_->own, connection_->certificate()); !why.empty())
    return refuse(why);
  const auto peer = context_->peers.add(claim);
  if (!peer)
    return refuse("it has the id of a process that is connected as another node");
  if (side_ == connection_side::connects)
    return finish(peer);
  out_ = write_introduction(context_->own);
  connection_->write(asio::buffer(out_),
                     [self = shared_from_this(), peer](asio_error error, std::size_t) {
                       if (error)
                         return self->ended(error);
                       self->finish(peer);
                     });
}

/// Sends the reason to the other side, if that side has connected.
void handshake::refuse(const std::string& why) {
  log_->write(log::level::warn, "refused peers",
              log_->peer() + " is refused: " + why + ": connection closed");
  if (side_ == connection_side::connects)
    return finish(nullptr, "it is refused by this side: " + why);
  out_ = write_refusal(why);
  connection_->write(asio::buffer(out_), [self = shared_from_this(), why](asio_error, std::size_t) {
    self->connection_->end_writing();
    self->finish(nullptr, why);
  });
}

void handshake::tls_failed(const asio_error& error) {
  if (!is_tls_error(error))
    return ended(error);
  log_->write(log::level::warn, "connections that TLS refuses",
              "TLS with " + log_->peer() + " fails: " + tls_error_text(error));
  const auto& files = context_->files;
  if (const auto verdict = connection_->verdict(); !verdict.empty())
    return finish(nullptr, "its certificate is refused by this side (" + files->authority.string() +
                             "): " + verdict);
  if (is_tls_alert(error))
    return finish(nullptr, "it refuses the certificate " + files->certificate.string() + ": " +
                             tls_error_text(error));
  finish(nullptr, "TLS fails: " + tls_error_text(error));
}

/// With TLS 1.3, the connecting side learns only here that its certificate is refused.
void handshake::ended(const asio_error& error) {
  if (is_tls_error(error) && error != asio::ssl::error::stream_truncated)
    return tls_failed(error);
  if (side_ == connection_side::accepts)
    log_->write(log::level::info, "connections that end before they are identified",
                log_->peer() + (context_->tls && connection_->certificate() == nullptr
                                  ? " disconnected without sending a certificate"
                                  : " disconnected without identifying itself"));
  finish(nullptr, "it closes the connection");
}

void handshake::finish(const verified_peer& peer, const std::string& why) {
  if (!peer)
    connection_->close();
  if (auto done = std::exchange(done_, nullptr))
    done(peer, why);
}

} // namespace troupe
