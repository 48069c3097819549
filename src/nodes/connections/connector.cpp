#include "nodes/connections/connector.hpp"

#include "nodes/connections/carrier.hpp"
#include "nodes/connections/connection_log.hpp"
#include "nodes/connections/handshake.hpp"

#include <unistd.h>

namespace troupe {

namespace {

std::string in_time(std::chrono::milliseconds limit) {
  return "within " + std::to_string(limit.count()) + " ms";
}

} // namespace

void connector::connect(const std::shared_ptr<connection_context>& context, const std::string& host,
                        std::uint16_t port, handler done) {
  asio::post(context->io, [context, host, port, done = std::move(done)] {
    std::make_shared<connector>(context, done)->find(host, port);
  });
}

void connector::find(const std::string& host, std::uint16_t port) {
  const auto limit = context_->limits.connect;
  give_up_ = [this] {
    asio_error ignored;
    resolver_.cancel();
    socket_.close(ignored);
  };
  wait(limit, "no answer " + in_time(limit));
  asio_error is_name;
  const auto address = asio::ip::make_address(host, is_name);
  if (!is_name)
    return connect_to(tcp::resolver::results_type::create({address, port}, host, ""));
  resolver_.async_resolve(
    host, std::to_string(port),
    [self = shared_from_this()](asio_error error, const tcp::resolver::results_type& found) {
      if (error)
        return self->finish(-1, "the host is unknown: " + error.message());
      if (self->done_)
        self->connect_to(found);
    });
}

void connector::connect_to(const tcp::resolver::results_type& places) {
  asio::async_connect(socket_, places,
                      [self = shared_from_this()](asio_error error, const tcp::endpoint&) {
                        if (error)
                          return self->finish(-1, "nothing listens there: " + error.message());
                        if (self->done_)
                          self->shake_hands();
                      });
}

void connector::shake_hands() {
  const auto limit = context_->limits.silence;
  const auto connection = make_stream(std::move(socket_), context_->tls.get());
  const auto log = std::make_shared<connection_log>(context_->log_name, connection->peer());
  const auto greeting =
    std::make_shared<handshake>(context_, connection, log, connection_side::connects);
  give_up_ = [greeting] { greeting->give_up(); };
  wait(limit, "it does not answer " + in_time(limit) + "; it may have been stopped");
  greeting->start([self = shared_from_this(), connection, log](const verified_peer& peer,
                                                               const std::string& why) {
    if (peer)
      self->establish(connection, log, peer);
    else
      self->finish(-1, why);
  });
}

void connector::establish(const std::shared_ptr<stream>& connection,
                          const std::shared_ptr<connection_log>& log,
                          const verified_peer& peer) try {
  auto [near, for_caf] = make_socket_pair(context_->io);
  const auto made = std::make_shared<carrier>(context_, connection, std::move(near), peer, log);
  give_up_ = [made] { made->close(); };
  made->start([self = shared_from_this()] { self->timer_.cancel(); });
  finish(for_caf, "");
} catch (const boost::system::system_error& e) {
  connection->close();
  finish(-1, e.what());
}

void connector::finish(caf_socket socket, const std::string& why) {
  if (socket < 0)
    timer_.cancel();
  const auto done = std::exchange(done_, nullptr);
  if (done && !context_->closed)
    done(socket, why);
  else if (socket >= 0)
    close(socket);
}

/// Gives up after `limit`, unless the timer is set again or cancelled.
void connector::wait(std::chrono::milliseconds limit, std::string why) {
  timer_.expires_after(limit);
  timer_.async_wait([self = shared_from_this(), why = std::move(why)](asio_error error) {
    if (error)
      return;
    if (const auto give_up = std::exchange(self->give_up_, nullptr))
      give_up();
    self->finish(-1, why);
  });
}

} // namespace troupe
