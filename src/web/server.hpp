#pragma once

#include "security/tls_files.hpp"
#include "web/limits.hpp"
#include "web/route_table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// The address on which a server listens, and its clients.
struct web_options {
  std::string host = "127.0.0.1"; ///< a name or an address; "[::1]" is one, too
  std::uint16_t port = 0;         ///< 0: a free one
  std::optional<tls_files> tls{}; ///< none: no encryption, on loopback only
  std::string token{};            ///< needed without a client certificate; empty: on loopback only
  web_limits limits{};
};

/// Reads "HOST:PORT", "[::1]:PORT", "HOST" or ":PORT" into `options`; missing parts stay unchanged.
/// Returns an error such as "the port is '8x'; expected a number from 0 to 65535", or an empty
/// text.
std::string read_address(const std::string& text, web_options& options);

/// An HTTP/1.1 server with one thread. Handlers run in that thread.
class web_server {
public:
  /// Listens, and begins to serve. Throws `std::runtime_error`, with one line for the user, if the
  /// host is not this one's loopback and there is no TLS or no token, if the port cannot be
  /// listened on, and `security_error` as `check_tls_files`.
  web_server(web_options options, std::shared_ptr<const route_table> routes);
  web_server(const web_server&) = delete;
  web_server& operator=(const web_server&) = delete;

  /// Closes all connections.
  ~web_server();

  std::uint16_t port() const;

  /// Returns "http://127.0.0.1:8080/". If a token is needed, it follows behind '#', which browsers
  /// do not send.
  std::string url() const;

private:
  class listener;
  std::unique_ptr<listener> listener_;
};

} // namespace troupe
