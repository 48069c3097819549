#pragma once

#include "security/tls_files.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace troupe {

/// Where an API is served.
struct api_address {
  bool encrypted = false;
  std::string host = "127.0.0.1";
  std::string port = "80";
  std::string token; ///< empty: none

  /// Reads "http://127.0.0.1:8980/" or "https://host:8980/#token=0123...", as `web_server` writes
  /// it. Returns nothing if it is something else.
  static std::optional<api_address> read(const std::string& url);
};

struct http_answer {
  unsigned status = 0;
  std::string body;
  std::map<std::string, std::string> headers; ///< names in lower case
};

/// The server does not answer.
struct no_answer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A client that asks one question after the other, on one connection as long as that lasts.
class http_client {
public:
  /// `files`: the certificate of the client, and the authority, for an encrypted server. Throws
  /// `security_error` if they cannot be used.
  explicit http_client(api_address to, const std::optional<tls_files>& files = {});
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  /// Sends a request and returns the answer, also one with the status of an error. A connection
  /// that the server has closed since the last answer is opened again. Throws `no_answer`.
  http_answer send(const std::string& method, const std::string& target,
                   const std::string& body = {},
                   const std::map<std::string, std::string>& headers = {},
                   std::chrono::milliseconds patience = std::chrono::seconds{10});

  const api_address& address() const { return to_; }

private:
  class connection;

  api_address to_;
  std::optional<tls_files> files_;
  std::unique_ptr<connection> connection_;
};

} // namespace troupe
