#include "nodes/connections/stream.hpp"

#include <fcntl.h>

namespace troupe {

namespace {

std::string text_of(const tcp::socket& socket) {
  asio_error error;
  const auto at = socket.remote_endpoint(error);
  if (error)
    return "a peer that has disconnected";
  const auto host = at.address().to_string();
  return (at.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(at.port());
}

class plain_stream final : public stream {
public:
  // The base may refer to the socket before the socket is moved into this class.
  explicit plain_stream(std::unique_ptr<tcp::socket> socket)
    : stream(*socket), socket_(std::move(socket)) {}

  void shake_hands(connection_side, std::function<void(asio_error)> done) override {
    asio::post(socket_->get_executor(), [done = std::move(done)] { done({}); });
  }

  void read_some(asio::mutable_buffer into, handler done) override {
    socket_->async_read_some(into, std::move(done));
  }

  void write(asio::const_buffer from, handler done) override {
    asio::async_write(*socket_, from, std::move(done));
  }

  const X509* certificate() const override { return nullptr; }
  std::string verdict() const override { return {}; }

private:
  std::unique_ptr<tcp::socket> socket_;
};

class tls_stream final : public stream {
public:
  using layer = asio::ssl::stream<tcp::socket>;

  explicit tls_stream(std::unique_ptr<layer> tls)
    : stream(tls->next_layer()), tls_(std::move(tls)) {}

  void shake_hands(connection_side side, std::function<void(asio_error)> done) override {
    tls_->async_handshake(side == connection_side::accepts ? layer::server : layer::client,
                          [this, done = std::move(done)](asio_error error) {
                            if (!error)
                              keep_buffers();
                            done(error);
                          });
  }

  void read_some(asio::mutable_buffer into, handler done) override {
    tls_->async_read_some(into, std::move(done));
  }

  void write(asio::const_buffer from, handler done) override {
    asio::async_write(*tls_, from, std::move(done));
  }

  const X509* certificate() const override {
    return SSL_get0_peer_certificate(tls_->native_handle());
  }

  std::string verdict() const override {
    const auto found = SSL_get_verify_result(tls_->native_handle());
    return found == X509_V_OK ? std::string{} : X509_verify_cert_error_string(found);
  }

private:
  /// Asio has OpenSSL allocate a buffer of 17 kB for each record anew. Nodes that know each other
  /// send hundreds per second, over few connections.
  void keep_buffers() { SSL_clear_mode(tls_->native_handle(), SSL_MODE_RELEASE_BUFFERS); }

  mutable std::unique_ptr<layer> tls_;
};

} // namespace

stream::stream(tcp::socket& socket) : socket_(socket), peer_(text_of(socket)) {
  asio_error ignored;
  socket.set_option(tcp::no_delay{true}, ignored);
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

void stream::end_writing() {
  asio_error ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void stream::close() {
  asio_error ignored;
  socket_.close(ignored);
}

std::shared_ptr<stream> make_stream(tcp::socket socket, asio::ssl::context* tls) {
  if (tls == nullptr)
    return std::make_shared<plain_stream>(std::make_unique<tcp::socket>(std::move(socket)));
  return std::make_shared<tls_stream>(std::make_unique<tls_stream::layer>(std::move(socket), *tls));
}

} // namespace troupe
