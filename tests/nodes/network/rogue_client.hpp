#pragma once

#include <chrono>
#include <filesystem>
#include <openssl/ssl.h>
#include <set>
#include <string>

namespace troupe::test {

/// Somebody who connects to a node and does not do what nodes do.
class rogue_client {
public:
  /// Connects to "HOST:PORT". Throws `std::runtime_error` if nothing listens there.
  explicit rogue_client(const std::string& at);
  rogue_client(rogue_client&& other) noexcept;
  rogue_client& operator=(rogue_client&&) = delete;
  ~rogue_client();

  /// By which the node knows it, such as "127.0.0.1:40312".
  const std::string& address() const { return address_; }

  void send(const std::string& bytes) const;

  /// Encrypts from now on, without a certificate or with NAME.crt and NAME.key of a directory.
  /// Returns whether that has succeeded as far as this side can see.
  bool start_tls();
  bool start_tls(const std::filesystem::path& certificates, const std::string& name);

  /// Returns whether the line was still open for that.
  bool send_encrypted(const std::string& bytes);

  /// Returns what comes next, or nothing once the other side has closed the line.
  std::string read_encrypted();

  /// Reads what comes until the other side closes the line; returns whether it does in time.
  bool is_closed(std::chrono::seconds within) const;

private:
  bool connect_tls();

  int socket_ = -1;
  std::string address_;
  SSL_CTX* context_ = nullptr;
  SSL* tls_ = nullptr;
};

/// What a process says first on a connection, with an id that no process has.
std::string introduction_of(const std::string& name, const std::set<std::string>& roles);

} // namespace troupe::test
