#pragma once

#include "nodes/connections/asio.hpp"
#include "security/tls_files.hpp"

#include <memory>
#include <string>

namespace troupe {

/// Reads a node's files for TLS 1.3, in which each side proves its identity by its certificate.
/// Throws `security_error` as `check_tls_files`.
std::shared_ptr<asio::ssl::context> make_tls_context(const tls_files& files);

/// Renders the cause of a failed handshake or read: "certificate verify failed".
std::string tls_error_text(const asio_error& error);

/// Returns whether the error is an alert from the other side.
bool is_tls_alert(const asio_error& error);

/// Returns whether TLS itself has failed, rather than the connection below it.
bool is_tls_error(const asio_error& error);

} // namespace troupe
