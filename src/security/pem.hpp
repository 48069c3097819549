#pragma once

#include "security/openssl_types.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Certificates and keys in PEM (RFC 7468).
namespace troupe {

/// Reads all certificates of a file, at least one. Throws security_error if there is none.
/// `expected`, the end of the message, describes the expected file.
std::vector<certificate_ptr> read_certificates(const std::filesystem::path& path,
                                               std::string_view expected);

/// Reads a private key without a passphrase. Throws security_error like read_certificates.
key_ptr read_key(const std::filesystem::path& path, std::string_view expected);

std::string to_pem(X509& certificate);

/// Renders a private key, not encrypted (PKCS #8).
std::string to_pem(EVP_PKEY& key);

} // namespace troupe
