#pragma once

#include "security/certified_identity.hpp"
#include "security/openssl_types.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

using wall_time = std::chrono::system_clock::time_point;

/// The contents of a certificate, for display; they are not verified.
struct certificate_details {
  std::string name;   ///< the common name, or the whole subject if there is none
  std::string issuer; ///< likewise
  bool authority = false;
  std::optional<certified_identity> certified; ///< none: the certificate names no node or client
  wall_time valid_from;
  wall_time valid_until;
  std::string fingerprint; ///< SHA-256 of the whole certificate, "AB:CD:..."
};

/// Reads the contents of all certificates of a PEM file. Throws security_error if there are none.
std::vector<certificate_details> describe_certificates(const std::filesystem::path& path);

/// Returns the common name of the subject of `certificate`, or the whole subject if there is none.
/// Control characters are escaped.
std::string subject_of(const X509& certificate);

/// Returns the name of the issuer of `certificate`, in the form of subject_of.
std::string issuer_of(const X509& certificate);

wall_time valid_from(const X509& certificate);
wall_time valid_until(const X509& certificate);

/// Renders "2027-11-21 08:10:00 UTC".
std::string date_text(wall_time time);

} // namespace troupe
