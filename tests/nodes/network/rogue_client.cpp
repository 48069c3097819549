#include "nodes/network/rogue_client.hpp"

#include "nodes/connections/introduction.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace troupe::test {

namespace {

/// A node may be busy, but not for that long.
constexpr timeval patience{20, 0};

/// Of the id that CAF gives to a process: a type, a number and a hash of its host.
constexpr std::size_t instance_size = 32;

} // namespace

rogue_client::rogue_client(const std::string& at) {
  signal(SIGPIPE, SIG_IGN);
  const auto colon = at.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(at.substr(colon + 1))));
  inet_pton(AF_INET, at.substr(0, colon).c_str(), &to.sin_addr);
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in own{};
  socklen_t size = sizeof own;
  if (connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size) != 0)
    throw std::runtime_error("nobody listens on " + at);
  address_ = "127.0.0.1:" + std::to_string(ntohs(own.sin_port));
}

rogue_client::rogue_client(rogue_client&& other) noexcept
  : socket_(std::exchange(other.socket_, -1)),
    address_(std::move(other.address_)),
    context_(std::exchange(other.context_, nullptr)),
    tls_(std::exchange(other.tls_, nullptr)) {}

rogue_client::~rogue_client() {
  SSL_free(tls_);
  SSL_CTX_free(context_);
  if (socket_ >= 0)
    close(socket_);
}

void rogue_client::send(const std::string& bytes) const {
  if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
    throw std::runtime_error("nothing can be sent to a node that has just been connected to");
}

bool rogue_client::connect_tls() {
  tls_ = SSL_new(context_);
  SSL_set_fd(tls_, socket_);
  return SSL_connect(tls_) == 1;
}

bool rogue_client::start_tls() {
  context_ = SSL_CTX_new(TLS_client_method());
  return connect_tls();
}

bool rogue_client::start_tls(const std::filesystem::path& certificates, const std::string& name) {
  context_ = SSL_CTX_new(TLS_client_method());
  const auto file = certificates / name;
  if (SSL_CTX_use_certificate_chain_file(context_, (file.string() + ".crt").c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context_, (file.string() + ".key").c_str(), SSL_FILETYPE_PEM) !=
        1)
    throw std::runtime_error("no certificate " + file.string());
  return connect_tls();
}

bool rogue_client::send_encrypted(const std::string& bytes) {
  return SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())) > 0;
}

std::string rogue_client::read_encrypted() {
  char bytes[4096];
  const int n = SSL_read(tls_, bytes, sizeof bytes);
  return n > 0 ? std::string(bytes, static_cast<std::size_t>(n)) : std::string{};
}

std::string introduction_of(const std::string& name, const std::set<std::string>& roles) {
  return write_introduction({name, roles, std::string(instance_size, 'r')});
}

bool rogue_client::is_closed(std::chrono::seconds within) const {
  const auto until = std::chrono::steady_clock::now() + within;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      until - std::chrono::steady_clock::now());
    pollfd what{socket_, POLLIN, 0};
    if (left.count() <= 0 || poll(&what, 1, static_cast<int>(left.count())) <= 0)
      return false;
    char bytes[4096];
    if (recv(socket_, bytes, sizeof bytes, 0) <= 0)
      return true;
  }
}

} // namespace troupe::test
