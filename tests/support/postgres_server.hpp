#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>

namespace troupe::test {

/// A server of PostgreSQL of its own on a Unix socket in a temporary directory, gone at the end. It
/// runs as another user where the test is root, as it refuses to be that.
class postgres_server {
public:
  /// Returns the server of this process, which is started at the first call; null if PostgreSQL is
  /// not installed, which is said once.
  static postgres_server* shared();

  postgres_server();
  postgres_server(const postgres_server&) = delete;
  postgres_server& operator=(const postgres_server&) = delete;
  ~postgres_server();

  /// Makes an empty database; returns its address.
  std::string new_database();

  /// Runs SQL in a database.
  void run(const std::string& address, const std::string& sql) const;

  /// Ends the server as a loss of power would, but for the disk.
  void kill_hard();
  void start();

private:
  void make_cluster() const;

  std::filesystem::path programs_;
  std::filesystem::path directory_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t pid_ = -1;
  int databases_ = 0;
};

} // namespace troupe::test
