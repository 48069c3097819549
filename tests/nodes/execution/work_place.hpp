#pragma once

#include "nodes/execution/running_attempts.hpp"
#include "nodes/execution/task_folders.hpp"
#include "process/base/host_clock.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <poll.h>
#include <string>

namespace troupe::test {

/// Calls `holds` again and again until it holds or two minutes are over. Returns whether it holds.
inline bool soon(const std::function<bool()>& holds) {
  constexpr int pause_ms = 5;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{120};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until)
      return false;
    poll(nullptr, 0, pause_ms);
  }
  return true;
}

/// A directory for the attempts of a node. What still runs there ends with it.
class work_place {
public:
  work_place() {
    auto name = (std::filesystem::temp_directory_path() / "troupe-work-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    at_ = name;
  }
  work_place(const work_place&) = delete;
  work_place& operator=(const work_place&) = delete;

  ~work_place() {
    const auto there = folders();
    for (const auto& which : there.open_ones())
      try {
        auto page = there.of(which).page();
        page.set_deadline(0);
        page.wake();
        CHECK(soon([&] { return !page.is_held(); }));
      } catch (const std::exception&) { // it has not begun
        continue;
      }
    std::filesystem::remove_all(at_);
  }

  task_folders folders() const { return task_folders{at_ / "tasks"}; }
  const std::filesystem::path& path() const { return at_; }

  static command_rules rules() {
    command_rules rules;
    rules.supervise = {TROUPE_BINARY_DIR "/tests/process/test_supervisors", "0"};
    rules.env = {{"PATH", "/usr/bin:/bin"}};
    return rules;
  }

  static attempt_spec shell(const attempt_key& which, const std::string& script) {
    attempt_spec spec;
    spec.which = which;
    spec.argv = {"sh", "-c", script};
    spec.lease_ms = 60'000;
    return spec;
  }

private:
  std::filesystem::path at_;
};

} // namespace troupe::test
