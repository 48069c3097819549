#pragma once

#include "security/certificate.hpp"
#include "security/certified_identity.hpp"
#include "security/files.hpp"
#include "security/openssl_types.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace troupe {

/// Throws security_error unless `name` is a valid name of a node: letters, digits, '-', '_' and
/// '.', at most 64, a letter or digit first, and not "ca".
void check_node_name(const std::string& name);

/// The paths of a certificate and its key.
struct certificate_files {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

/// A private certificate authority in a directory: ca.crt, ca.key. All nodes of one cluster trust
/// it, and no others: each cluster has its own authority.
class authority {
public:
  /// The validity of an authority.
  static constexpr std::chrono::days lifetime{3650};
  /// The default validity of a node's certificate.
  static constexpr std::chrono::days node_lifetime{365};
  /// Certificates are valid from this long before their creation, for hosts whose clocks are
  /// behind.
  static constexpr std::chrono::hours clock_tolerance{1};

  /// Creates an authority, and its directory if it does not exist. Throws security_error if an
  /// authority, or a part of one, exists already.
  static authority create(const std::filesystem::path& directory, wall_time now);

  /// Reads the authority in `directory`. Throws security_error if it is unusable.
  static authority load(const std::filesystem::path& directory);

  /// Creates a key and a certificate for a node with its roles, or for a client without roles:
  /// NAME.key and NAME.crt in the directory, valid for `days` (1 or more). Throws security_error if
  /// the name or a role is invalid, if one of the files exists and must be kept, or if the
  /// authority expires before the certificate would.
  certificate_files issue(const certified_identity& node, std::chrono::days days, wall_time now,
                          existing what_is_there = existing::keep) const;

  std::string name() const { return subject_of(*certificate_); }
  certificate_files files() const { return files_; }
  wall_time valid_until() const { return troupe::valid_until(*certificate_); }

private:
  authority(certificate_files files, certificate_ptr certificate, key_ptr key)
    : files_{std::move(files)}, certificate_{std::move(certificate)}, key_{std::move(key)} {}

  certificate_files files_;
  certificate_ptr certificate_;
  key_ptr key_;
};

} // namespace troupe
