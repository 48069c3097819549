#pragma once

#include "security/tls_files.hpp"

#include <string>

namespace troupe {

/// A node's files as they are when it starts, checked and kept in memory. CAF reads its files anew
/// for every connection and ends the process if it cannot use them, so that it must not be given
/// files that can change or vanish.
class tls_snapshot {
public:
  /// Throws as check_tls_files.
  tls_snapshot(const tls_files& files, wall_time now);
  tls_snapshot(const tls_snapshot&) = delete;
  tls_snapshot& operator=(const tls_snapshot&) = delete;
  ~tls_snapshot();

  /// Returns paths (/proc/self/fd/...) that can be opened by this process only, as long as this
  /// lives; programs that it starts do not inherit them.
  const tls_files& files() const { return copies_; }

  const tls_identity& identity() const { return identity_; }

private:
  tls_identity identity_;
  int descriptors_[3] = {-1, -1, -1};
  tls_files copies_;
};

} // namespace troupe
