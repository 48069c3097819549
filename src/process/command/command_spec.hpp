#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// The user that a command runs as; `uid` 0 with no name: that of its supervisor.
struct command_user {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups{};

  bool is_set() const { return !name.empty(); }
};

/// What a supervisor needs to run a command.
struct command_spec {
  std::vector<std::string> argv;          ///< the program is looked for in PATH of `env`
  std::map<std::string, std::string> env; ///< all of its environment
  std::string dir;                        ///< its working directory; empty: the attempt's
  std::int64_t time_limit_ms = 0;         ///< 0: none
  std::int64_t grace_ms = 10'000;         ///< from SIGTERM to SIGKILL
  std::uint64_t output_limit_bytes = 0;   ///< of each stream, the latest are kept; 0: all
  std::int64_t memory_bytes = 0;          ///< at most; 0: any amount
  double cpu = 0;                         ///< cores; 0: any number
  std::int32_t gpu_milli = 0;             ///< that its machine counts for it, and nobody limits
  std::int32_t slots = 0;                 ///< likewise
  std::string control_group;              ///< its directory; empty: none
  std::int64_t lease_ms = 0;              ///< as the node renews it; 0: forever
  std::int64_t start_patience_ms = 0;     ///< how long a host that cannot start it is tried again
  command_user user{};
};

std::string to_json(const command_spec& spec);

/// Throws `std::runtime_error` unless `text` is that of a specification.
command_spec parse_command_spec(const std::string& text);

} // namespace troupe
