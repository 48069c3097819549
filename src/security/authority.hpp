#pragma once

#include "security/certificate.hpp"
#include "security/certified_identity.hpp"
#include "security/files.hpp"
#include "security/openssl_types.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace troupe {

/// Throws security_error unless `name` can be that of a node: letters, digits, '-', '_' and '.', at
/// most 64, a letter or digit first, and not "ca".
void check_node_name(const std::string& name);

/// Where a certificate and its key are.
struct certificate_files {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

/// A private certificate authority in a directory: ca.crt, ca.key. It is the one that all nodes of
/// a cluster trust, and nobody else: one for each cluster.
class authority {
public:
  /// How long an authority is valid.
  static constexpr std::chrono::days lifetime{3650};
  /// How long the certificate of a node is valid unless told otherwise.
  static constexpr std::chrono::days node_lifetime{365};
  /// How long before its making a certificate is valid, for hosts whose clocks are behind.
  static constexpr std::chrono::hours clock_tolerance{1};

  /// Makes an authority, and its directory where there is none. Throws security_error if there is
  /// an authority, or a part of one, already.
  static authority create(const std::filesystem::path& directory, wall_time now);

  /// Reads the one in `directory`; throws security_error if it cannot be used.
  static authority load(const std::filesystem::path& directory);

  /// Makes a key and a certificate for a node with its roles, or for a client, which has none:
  /// NAME.key and NAME.crt in the directory, valid for `days` (1 or more). Throws security_error if
  /// the name or a role is none, if one of the files is there and is to be kept, and if the
  /// authority ends before the certificate would.
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
