#pragma once

#include "security/certificate.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// The files that a node needs for TLS, in PEM.
struct tls_files {
  std::filesystem::path certificate; ///< the node's own, then those of intermediate authorities
  std::filesystem::path key;         ///< the private key of `certificate`, without a passphrase
  std::filesystem::path authority;   ///< certificates of the trusted authorities
};

/// The identity of a node.
struct tls_identity {
  certified_identity certified;      ///< as certified by the authority
  std::string authority;             ///< the name of the authority at the end of the chain
  wall_time valid_until;             ///< when the first certificate of the chain expires
  std::vector<std::string> warnings; ///< one line each: it expires soon, or others may read the key
};

/// OpenSSL's security level of all connections.
inline constexpr int tls_security_level = 2;

/// A warning is given for certificates that expire within this time.
inline constexpr std::chrono::days expiry_warning{30};

/// Checks that a node can use `files` at `now` for both ends of connections, at this security
/// level. TLS itself would refuse unusable files only when a connection is made. Throws
/// security_error that names the file, the problem and the expected contents.
tls_identity check_tls_files(const tls_files& files, wall_time now);

} // namespace troupe
