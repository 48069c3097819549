#include "web/server.hpp"

#include "web/connection.hpp"
#include "web/server_tls.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fcntl.h>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

/// An immediate new attempt would fail as well.
constexpr auto pause_of_accepting = std::chrono::milliseconds{100};

std::string bare_host(const std::string& host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return bracketed ? host.substr(1, host.size() - 2) : host;
}

tcp::endpoint endpoint_of(asio::io_context& io, const web_options& options) {
  asio_error error;
  const auto found = tcp::resolver{io}.resolve(
    bare_host(options.host), std::to_string(options.port), tcp::resolver::passive, error);
  if (error || found.empty())
    throw std::runtime_error("the address " + options.host + " is unknown: " + error.message());
  return found.begin()->endpoint();
}

web_access access_of(const web_options& options) {
  web_access access{options.tls.has_value(), {"localhost"}, options.token};
  const auto add = [&](std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    access.hosts.insert(std::move(name));
  };
  add(bare_host(options.host));
  if (options.tls)
    add(check_tls_files(*options.tls, std::chrono::system_clock::now()).certified.name);
  return access;
}

void check(const web_options& options, const tcp::endpoint& at) {
  if (at.address().is_loopback())
    return;
  const auto what = options.host + " is not an address of loopback, so others can reach it; ";
  if (!options.tls)
    throw std::runtime_error(what + "expected a certificate for TLS, or 127.0.0.1");
  if (options.token.empty())
    throw std::runtime_error(what + "expected a token, or 127.0.0.1");
}

} // namespace

std::string read_address(const std::string& text, web_options& options) {
  auto host = text;
  std::string port;
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (bracket == std::string::npos && host.find(':') != std::string::npos)
      return "'" + text + "' is not an address; expected HOST:PORT, or [ADDRESS]:PORT for IPv6";
    unsigned number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc{} || end != port.data() + port.size() || number > 65535)
      return "the port is '" + port + "'; expected a number from 0 to 65535";
    options.port = static_cast<std::uint16_t>(number);
  }
  if (!host.empty())
    options.host = host;
  return {};
}

/// Accepts connections; owns the thread.
class web_server::listener {
public:
  listener(const web_options& options, std::shared_ptr<const route_table> routes)
    : listens_(*io_), pause_(*io_), options_(options) {
    const auto at = endpoint_of(*io_, options);
    check(options, at);
    if (options.tls)
      tls_ = make_server_tls(*options.tls);
    state_ = std::make_shared<web_state>(options.limits, access_of(options), std::move(routes));
    try {
      listens_.open(at.protocol());
      fcntl(listens_.native_handle(), F_SETFD, FD_CLOEXEC);
      listens_.set_option(tcp::acceptor::reuse_address{true});
      listens_.bind(at);
      listens_.listen();
      port_ = listens_.local_endpoint().port();
    } catch (const boost::system::system_error& e) {
      throw std::runtime_error("cannot listen on " + options.host + ':' +
                               std::to_string(options.port) + ": " + e.code().message());
    }
    accept();
    thread_ = std::thread{[this] { io_->run(); }};
  }

  ~listener() {
    asio::post(*io_, [this] {
      state_->closed = true;
      asio_error ignored;
      listens_.close(ignored);
      pause_.cancel();
      // A connection may end, and leave the list, when it is closed.
      const auto all = state_->open;
      for (auto* connection : all)
        connection->close();
      // What is under way ends with an error, which its handlers hear of before this:
      asio::post(*io_, [this] { io_->stop(); });
    });
    thread_.join();
  }

  std::uint16_t port() const { return port_; }

  std::string url() const {
    auto text = (tls_ ? "https://" : "http://") + options_.host + ':' + std::to_string(port_) + '/';
    return options_.token.empty() ? text : text + "#token=" + options_.token;
  }

private:
  void accept() {
    listens_.async_accept([this](asio_error error, tcp::socket socket) {
      if (!listens_.is_open())
        return;
      if (!error) {
        receive(std::move(socket));
        return accept();
      }
      pause_.expires_after(pause_of_accepting);
      pause_.async_wait([this](asio_error ended) {
        if (!ended && listens_.is_open())
          accept();
      });
    });
  }

  void receive(tcp::socket socket) {
    if (state_->open.size() >= state_->limits.connections) {
      const auto idle = std::ranges::find_if(state_->open, [](auto* c) { return c->idle(); });
      if (idle == state_->open.end())
        return; // the socket is closed
      (*idle)->close();
    }
    make_web_connection(io_, std::move(socket), tls_.get(), state_)->start();
  }

  std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  tcp::acceptor listens_;
  asio::steady_timer pause_;
  web_options options_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::shared_ptr<web_state> state_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

web_server::web_server(web_options options, std::shared_ptr<const route_table> routes)
  : listener_(std::make_unique<listener>(options, std::move(routes))) {}

web_server::~web_server() = default;

std::uint16_t web_server::port() const {
  return listener_->port();
}

std::string web_server::url() const {
  return listener_->url();
}

} // namespace troupe
