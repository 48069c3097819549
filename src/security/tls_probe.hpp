#pragma once

#include "security/tls_files.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

/// Connects to a node as a client with these credentials would, and hangs up. Without credentials,
/// only looks whether anybody listens. Returns why no connection can be made, as the end of a
/// sentence for the user, or nothing if one can.
///
/// Each step is given up after `patience`, also where the other side has frozen. The other side
/// has to be the first to say something once the connection is encrypted, as CAF is: with TLS 1.3 a
/// client does not learn before that its certificate is refused.
std::optional<std::string> why_no_connection(const std::string& host, std::uint16_t port,
                                             const std::optional<tls_files>& credentials,
                                             std::chrono::milliseconds patience);

} // namespace troupe
