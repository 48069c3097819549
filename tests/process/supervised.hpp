#pragma once

#include "process/attempt/attempt_folder.hpp"
#include "process/base/host_clock.hpp"
#include "process/supervisor/supervisor_client.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace troupe::test {

/// Calls `holds` again and again until it holds or some seconds are over. Returns whether it holds.
bool eventually(const std::function<bool()>& holds);

bool is_alive(pid_t pid);

/// The CPU time that a process has used, in nanoseconds.
std::int64_t cpu_time_of(pid_t pid);

/// A directory with attempts, and real supervisors for them.
class supervised {
public:
  supervised();
  supervised(const supervised&) = delete;
  supervised& operator=(const supervised&) = delete;

  /// Ends all commands that are left.
  ~supervised();

  /// `sh -c SCRIPT`, with PATH.
  static command_spec shell(const std::string& script);

  /// In so many seconds.
  static std::int64_t in(double seconds);

  /// Begins an attempt and returns its page.
  attempt_page begin(const std::string& name, const command_spec& spec,
                     std::int64_t deadline = attempt_page::forever);

  /// Waits for the note that the command runs, or has ended.
  void wait_for_start(const std::string& name);

  /// Waits for the end.
  command_end end_of(const std::string& name);

  /// Begins an attempt and waits for its end.
  command_end run(const std::string& name, const command_spec& spec);

  attempt_folder folder(const std::string& name) const { return attempt_folder{at_ / name}; }
  std::string out(const std::string& name) const;
  std::string err(const std::string& name) const;
  const std::filesystem::path& path() const { return at_; }

  /// The process of the supervisor whose command is `command`.
  static pid_t parent_of(pid_t command);

  /// Closes the client, as the end of a node does; `reconnect` starts another, whose commands end
  /// with a process.
  void disconnect() { client_.reset(); }
  void reconnect(pid_t tied_to = 0);

private:
  std::filesystem::path at_;
  std::unique_ptr<supervisor_client> client_;
  std::set<std::string> started_;
  std::set<std::string> ended_;
  std::vector<std::string> names_;

  void hear(int patience_ms);
};

} // namespace troupe::test
