#pragma once

#include "process/base/unique_fd.hpp"
#include "process/command/command_end.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>

namespace troupe {

struct attempt_memory;

/// A page that a program of another version has made.
struct unknown_page : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The data that a node and the supervisor of an attempt exchange: one page of memory, mapped from
/// a file; the command to run follows in the file. The page outlives both processes, so a restarted
/// node reads how a command ended meanwhile. It does not outlive the host: a page from an earlier
/// start of the host says nothing.
///
/// The file system takes most of the node's time for an attempt, so there is one file for all.
class attempt_page {
public:
  enum class phase : std::uint32_t { prepared, running, ended };

  static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

  struct stop_wish {
    end_reason reason = end_reason::none;
    std::int64_t grace_ms = 0; ///< from SIGTERM to SIGKILL
  };

  /// Creates the file, with the command to run. Throws `std::system_error`.
  static attempt_page create(const std::filesystem::path& file, const std::string& spec);

  /// Throws `std::system_error` if it cannot be read, `std::runtime_error` if it is no such page,
  /// `unknown_page` if it is one of another version.
  static attempt_page open(const std::filesystem::path& file);

  attempt_page(attempt_page&& other) noexcept;
  attempt_page& operator=(attempt_page&& other) noexcept;
  ~attempt_page();

  // -- by the node -----------------------------------------------------------------------------

  /// The supervisor kills the command at this time of `boot_clock_ns`; at first: at once.
  void set_deadline(std::int64_t boot_ns);

  /// Asks for the end of the command. The first reason counts; a later wish may only shorten the
  /// grace period.
  void stop(const stop_wish& wish);

  /// Whether a supervisor has ever held the page.
  bool was_held() const;

  /// Makes the supervisor look at the page, if there is one.
  void wake() const;

  /// Whether a supervisor holds the page. Asking does not disturb it.
  bool is_held() const;

  /// The same of a page of any version; false if there is none.
  static bool is_held(const std::filesystem::path& file);

  // -- by the supervisor -----------------------------------------------------------------------

  /// The signal by which the supervisor is woken. It has to be blocked from before `hold`.
  static int wake_signal();

  /// Returns false if another supervisor holds the page. It is held until this object, or the
  /// process, ends.
  bool hold();

  std::int64_t deadline() const;
  std::optional<stop_wish> stop_asked() const;
  void begins(pid_t command, std::int64_t utc_ns);
  void ends(const command_end& how);

  // -- by both ---------------------------------------------------------------------------------

  /// What is to run. Throws `std::system_error` if it cannot be read.
  std::string spec() const;

  bool is_of_this_boot() const;
  phase at() const;
  pid_t command() const;

  /// When that process was started, as of `process_entry`; 0: not known.
  std::uint64_t command_started() const;

  /// How it ended; nothing if it has not.
  std::optional<command_end> end() const;

private:
  attempt_page(unique_fd fd, attempt_memory* memory) : fd_(std::move(fd)), memory_(memory) {}

  unique_fd fd_;
  attempt_memory* memory_;
};

} // namespace troupe
