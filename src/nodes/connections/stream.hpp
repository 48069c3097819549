#pragma once

#include "nodes/connections/asio.hpp"

#include <functional>
#include <memory>
#include <openssl/x509.h>
#include <string>

namespace troupe {

/// Which side of a connection this process is.
enum class connection_side { connects, accepts };

/// The bytes to and from another process, over TLS or, on loopback, over bare TCP. At most one read
/// and one write may be under way. The caller keeps the stream alive until both are done.
class stream {
public:
  using handler = std::function<void(asio_error, std::size_t)>;

  explicit stream(tcp::socket& socket);
  virtual ~stream() = default;

  /// Shakes hands; does nothing where the bytes are not encrypted.
  virtual void shake_hands(connection_side side, std::function<void(asio_error)> done) = 0;

  /// Reads at least one byte.
  virtual void read_some(asio::mutable_buffer into, handler done) = 0;

  /// Writes all of it.
  virtual void write(asio::const_buffer from, handler done) = 0;

  /// Returns the certificate of the other side; null before the handshake, and without encryption.
  virtual const X509* certificate() const = 0;

  /// Returns what this side has found wrong with the other side's certificate; empty: nothing.
  virtual std::string verdict() const = 0;

  /// Renders the address of the other side: "10.0.0.2:40312" or "[fe80::1]:40312".
  const std::string& peer() const { return peer_; }

  /// Tells the other side that nothing more will come.
  void end_writing();

  /// Ends all that is under way with an error.
  void close();

private:
  tcp::socket& socket_; ///< of the derived class
  std::string peer_;
};

/// Takes over a connected socket; encrypts with `tls`, or not at all if that is null.
std::shared_ptr<stream> make_stream(tcp::socket socket, asio::ssl::context* tls);

} // namespace troupe
