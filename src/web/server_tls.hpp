#pragma once

#include "security/tls_files.hpp"
#include "web/beast.hpp"

#include <memory>

namespace troupe {

/// Reads a server's files for TLS 1.2 and later. Clients may have a certificate, and a certificate
/// has to be of the authority. Throws `security_error` as `check_tls_files`.
std::shared_ptr<asio::ssl::context> make_server_tls(const tls_files& files);

} // namespace troupe
