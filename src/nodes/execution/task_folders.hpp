#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "process/attempt/attempt_folder.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The directories of the attempts on a node, "JOB.TASK.ATTEMPT" each. They survive the node.
class task_folders {
public:
  /// Makes the directory. Throws `std::runtime_error` if others may write into it.
  explicit task_folders(std::filesystem::path at);

  const std::filesystem::path& path() const { return at_; }

  /// Identifies the directory, from its first use on.
  const std::string& id() const { return id_; }

  attempt_folder of(const attempt_key& which) const {
    return attempt_folder{at_ / to_string(which)};
  }

  /// The attempts whose ends the job service has not seen.
  std::vector<attempt_key> open_ones() const;

  /// Notes that the job service has seen the end. What the command has written stays for a time.
  void mark_seen(const attempt_key& which) const;

  /// Removes the directories of attempts whose ends were seen so long ago.
  void remove_older_than(std::chrono::seconds age) const;

  /// Bytes of a command's output.
  struct output {
    std::string bytes;
    std::uint64_t offset = 0; ///< of the first of `bytes`; earlier ones may have been dropped
    std::uint64_t size = 0;   ///< all that was written
  };

  /// Returns at most `limit` bytes from `offset` on; nothing if there is no such attempt here.
  std::optional<output> read(const attempt_key& which, bool errors, std::uint64_t offset,
                             std::size_t limit) const;

private:
  std::filesystem::path at_;
  std::string id_;
};

/// Reads "JOB.TASK.ATTEMPT"; nothing if it is something else.
std::optional<attempt_key> parse_attempt_key(const std::string& text);

} // namespace troupe
