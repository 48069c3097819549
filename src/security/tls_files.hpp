#pragma once

#include "security/certificate.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// What a node needs for TLS, each a PEM file.
struct tls_files {
  std::filesystem::path certificate; ///< the node's own; those of intermediate authorities after it
  std::filesystem::path key;         ///< the private key of `certificate`, without a passphrase
  std::filesystem::path authority;   ///< of the authorities whose nodes are trusted
};

/// Who a node is to the others.
struct tls_identity {
  certified_identity certified;      ///< what the authority certifies
  std::string authority;             ///< the name of the authority at the end of the chain
  wall_time valid_until;             ///< when the first certificate of the chain expires
  std::vector<std::string> warnings; ///< one line each: it expires soon, others may read the key
};

/// Certificates that have less left than this are warned of.
inline constexpr std::chrono::days expiry_warning{30};

/// Checks that a node can use `files` at `now` to connect to others and to be connected to: what
/// TLS would refuse only once a connection is made, at the level of security 2 of OpenSSL. Throws
/// security_error that names the file, what is wrong with it, and what would be right.
tls_identity check_tls_files(const tls_files& files, wall_time now);

} // namespace troupe
