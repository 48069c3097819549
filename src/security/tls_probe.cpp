#include "security/tls_probe.hpp"

#include "security/openssl_types.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace troupe {

namespace {

using clock = std::chrono::steady_clock;
using context_ptr = std::unique_ptr<SSL_CTX, freed_by<SSL_CTX_free>>;
using line_ptr = std::unique_ptr<SSL, freed_by<SSL_free>>;
using addresses_ptr = std::unique_ptr<addrinfo, freed_by<freeaddrinfo>>;
using answer = std::optional<std::string>;

struct socket_handle {
  int fd = -1;
  socket_handle() = default;
  socket_handle(const socket_handle&) = delete;
  socket_handle& operator=(const socket_handle&) = delete;
  ~socket_handle() {
    if (fd >= 0)
      close(fd);
  }
};

/// Waits until something can be read or written; false: not in time.
bool wait_for(int fd, short what, clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    pollfd p{fd, what, 0};
    const int n = poll(&p, 1, static_cast<int>(std::max<std::int64_t>(0, left)));
    if (n > 0)
      return true;
    if (n == 0 || errno != EINTR)
      return false;
  }
}

std::string in_time(std::chrono::milliseconds patience) {
  return "within " + std::to_string(patience.count()) + " ms";
}

answer connect_to(socket_handle& line, const std::string& host, std::uint16_t port,
                  std::chrono::milliseconds patience) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int e = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); e != 0)
    return "the host is not known: " + std::string{gai_strerror(e)};
  const addresses_ptr all{found};
  line.fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (line.fd < 0)
    return "no socket: " + std::string{std::strerror(errno)};
  int error = 0;
  if (connect(line.fd, found->ai_addr, found->ai_addrlen) != 0) {
    if (errno != EINPROGRESS)
      error = errno;
    else if (!wait_for(line.fd, POLLOUT, clock::now() + patience))
      return "nobody answers " + in_time(patience);
    else {
      socklen_t size = sizeof error;
      getsockopt(line.fd, SOL_SOCKET, SO_ERROR, &error, &size);
    }
  }
  if (error != 0)
    return "nothing listens there: " + std::string{std::strerror(error)};
  return std::nullopt;
}

/// Why OpenSSL has given up on a line.
std::string reason_of(const SSL& line, const tls_files& credentials) {
  const auto error = ERR_get_error();
  ERR_clear_error();
  if (const auto verdict = SSL_get_verify_result(&line); verdict != X509_V_OK)
    return "its certificate is refused by this side (" + credentials.authority.string() +
           "): " + X509_verify_cert_error_string(verdict);
  if (error == 0)
    return "it hangs up";
  const char* text = ERR_reason_error_string(error);
  const std::string reason = text != nullptr ? text : "error " + std::to_string(error);
  if (ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) >= SSL_AD_REASON_OFFSET)
    return "it refuses the certificate " + credentials.certificate.string() + ": " + reason;
  return "TLS fails: " + reason;
}

/// Repeats a step until it is done; returns why it cannot be.
template <class Step>
answer carry_out(SSL& line, int fd, const tls_files& credentials,
                 std::chrono::milliseconds patience, Step step) {
  const auto until = clock::now() + patience;
  for (;;) {
    ERR_clear_error();
    if (step() > 0)
      return std::nullopt;
    const int wants = SSL_want(&line);
    // At the end of the stream OpenSSL still wants to read, but its BIO does not any more.
    const bool goes_on = wants == SSL_READING   ? BIO_should_read(SSL_get_rbio(&line)) != 0
                         : wants == SSL_WRITING ? BIO_should_write(SSL_get_wbio(&line)) != 0
                                                : false;
    if (!goes_on)
      return reason_of(line, credentials);
    if (!wait_for(fd, wants == SSL_READING ? POLLIN : POLLOUT, until))
      return "it does not answer " + in_time(patience) + "; it may have been stopped";
  }
}

} // namespace

std::optional<std::string> why_no_connection(const std::string& host, std::uint16_t port,
                                             const std::optional<tls_files>& credentials,
                                             std::chrono::milliseconds patience) {
  socket_handle socket;
  if (auto why = connect_to(socket, host, port, patience); why || !credentials)
    return why;
  const context_ptr context{SSL_CTX_new(TLS_client_method())};
  require_openssl(context != nullptr, "a TLS context");
  require_openssl(
    SSL_CTX_use_certificate_chain_file(context.get(), credentials->certificate.c_str()) == 1,
    "reading the certificate");
  require_openssl(
    SSL_CTX_use_PrivateKey_file(context.get(), credentials->key.c_str(), SSL_FILETYPE_PEM) == 1,
    "reading the key");
  require_openssl(
    SSL_CTX_load_verify_locations(context.get(), credentials->authority.c_str(), nullptr) == 1,
    "reading the authority");
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const line_ptr line{SSL_new(context.get())};
  require_openssl(line != nullptr && SSL_set_fd(line.get(), socket.fd) == 1, "a TLS connection");
  const auto carry = [&](auto step) {
    return carry_out(*line, socket.fd, *credentials, patience, step);
  };
  if (auto why = carry([&] { return SSL_connect(line.get()); }))
    return why;
  char first = 0;
  if (auto why = carry([&] { return SSL_read(line.get(), &first, 1); }))
    return why;
  SSL_shutdown(line.get());
  return std::nullopt;
}

} // namespace troupe
