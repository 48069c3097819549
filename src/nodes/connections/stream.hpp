#pragma once

#include "nodes/connections/asio.hpp"

#include <functional>
#include <memory>
#include <openssl/x509.h>
#include <string>

namespace troupe {

/// The side of a connection that this process is on.
enum class connection_side { connects, accepts };

/// The byte stream between this process and another one, over TLS or, on loopback, over bare TCP.
/// At most one read and one write may be pending. The caller keeps the stream alive until both are
/// done.
class stream {
public:
  using handler = std::function<void(asio_error, std::size_t)>;

  explicit stream(tcp::socket& socket);
  virtual ~stream() = default;

  /// Makes the TLS handshake; does nothing without encryption.
  virtual void shake_hands(connection_side side, std::function<void(asio_error)> done) = 0;

  /// Reads at least one byte.
  virtual void read_some(asio::mutable_buffer into, handler done) = 0;

  /// Writes all of it.
  virtual void write(asio::const_buffer from, handler done) = 0;

  /// Returns the certificate of the other side; null before the handshake, and without encryption.
  virtual const X509* certificate() const = 0;

  /// Returns this side's objection to the other side's certificate; empty if there is none.
  virtual std::string verdict() const = 0;

  /// Renders the address of the other side: "10.0.0.2:40312" or "[fe80::1]:40312".
  const std::string& peer() const { return peer_; }

  /// Tells the other side that no more bytes will follow.
  void end_writing();

  /// Ends all pending operations with an error.
  void close();

private:
  tcp::socket& socket_; ///< of the derived class
  std::string peer_;
};

/// Makes a stream of a connected socket; encrypts with `tls`, or not at all if that is null.
std::shared_ptr<stream> make_stream(tcp::socket socket, asio::ssl::context* tls);

} // namespace troupe
