#include "nodes/connections/acceptor.hpp"

#include "model/base/log.hpp"
#include "nodes/connections/carrier.hpp"
#include "nodes/connections/handshake.hpp"

#include <fcntl.h>

namespace troupe {

namespace {

/// An immediate new attempt would fail as well.
constexpr auto accept_pause = std::chrono::milliseconds{100};

} // namespace

acceptor::acceptor(std::shared_ptr<connection_context> context, const std::string& host,
                   std::uint16_t port)
  : context_(std::move(context)),
    listens_(context_->io),
    pause_(context_->io),
    room_(std::make_shared<waiting_room>(context_)) {
  const auto found =
    tcp::resolver{context_->io}.resolve(host, std::to_string(port), tcp::resolver::passive);
  const auto at = found.begin()->endpoint();
  listens_.open(at.protocol());
  fcntl(listens_.native_handle(), F_SETFD, FD_CLOEXEC);
  listens_.set_option(tcp::acceptor::reuse_address{true});
  listens_.bind(at);
  listens_.listen();
  port_ = listens_.local_endpoint().port();
}

void acceptor::start(handler hand_over) {
  asio::post(context_->io, [self = shared_from_this(), hand_over = std::move(hand_over)] {
    self->hand_over_ = hand_over;
    self->accept();
  });
}

void acceptor::stop() {
  asio::post(context_->io, [self = shared_from_this()] {
    asio_error ignored;
    self->listens_.close(ignored);
    self->pause_.cancel();
    self->room_->close();
    self->hand_over_ = nullptr;
  });
}

void acceptor::accept() {
  listens_.async_accept([self = shared_from_this()](asio_error error, tcp::socket socket) {
    if (!self->listens_.is_open())
      return;
    if (!error) {
      self->receive(std::move(socket));
      return self->accept();
    }
    if (!self->context_->log_name.empty())
      log_refusal(log::level::warn, "connections that cannot be accepted", self->context_->log_name,
                  "a connection cannot be accepted: " + error.message());
    self->pause_.expires_after(accept_pause);
    self->pause_.async_wait([self](asio_error) {
      if (self->listens_.is_open())
        self->accept();
    });
  });
}

void acceptor::receive(tcp::socket socket) {
  const auto connection = make_stream(std::move(socket), context_->tls.get());
  const auto guest = std::make_shared<waiting_room::guest>();
  guest->log = std::make_shared<connection_log>(context_->log_name, connection->peer());
  const auto greeting =
    std::make_shared<handshake>(context_, connection, guest->log, connection_side::accepts);
  guest->send_away = [greeting] { greeting->give_up(); };
  room_->enter(guest);
  greeting->start(
    [self = shared_from_this(), guest, connection](const verified_peer& peer, const std::string&) {
      if (peer && self->hand_over_)
        self->establish(guest, connection, peer);
      else
        self->room_->leave(guest);
    });
}

void acceptor::establish(const waiting_room::ticket& guest,
                         const std::shared_ptr<stream>& connection, const verified_peer& peer) try {
  auto [near, for_caf] = make_socket_pair(context_->io);
  const auto made =
    std::make_shared<carrier>(context_, connection, std::move(near), peer, guest->log);
  guest->send_away = [made] { made->close(); };
  made->start([room = room_, guest] { room->leave(guest); });
  hand_over_(for_caf);
} catch (const boost::system::system_error& e) {
  guest->log->write(log::level::warn, "connections that cannot be accepted",
                    guest->log->peer() + " cannot be accepted: " + e.what());
  connection->close();
  room_->leave(guest);
}

} // namespace troupe
