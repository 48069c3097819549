#pragma once

#include "nodes/connections/asio.hpp"
#include "security/tls_files.hpp"

#include <memory>
#include <string>

namespace troupe {

/// Reads a node's files for TLS 1.3, with which each side proves by its certificate who it is.
/// Throws `security_error` as `check_tls_files`, and `boost::system::system_error` if the files
/// change while they are read.
std::shared_ptr<asio::ssl::context> make_tls_context(const tls_files& files);

/// Renders why a handshake or a read has failed: "certificate verify failed".
std::string tls_error_text(const asio_error& error);

/// Returns whether the other side has said what it refuses.
bool is_tls_alert(const asio_error& error);

/// Returns whether TLS itself has failed, and not the connection below it.
bool is_tls_error(const asio_error& error);

} // namespace troupe
