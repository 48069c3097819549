#pragma once

#include "security/tls_files.hpp"

#include <openssl/types.h>

namespace troupe {

/// Checks the files (see `check_tls_files`) and sets up a new context with them for this version of
/// TLS (`TLS1_3_VERSION`) or later, without resumed sessions, so that each
/// connection verifies certificates anew. Which certificates of the peer are required is left to
/// the caller. Throws security_error.
void set_up_tls(SSL_CTX* context, const tls_files& files, int least_version);

} // namespace troupe
