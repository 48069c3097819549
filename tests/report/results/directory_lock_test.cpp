#include "report/results/directory_lock.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace troupe;

namespace fs = std::filesystem;

namespace {

/// A directory that is gone after the test.
struct lock_place {
  fs::path base = [] {
    auto name = (fs::temp_directory_path() / "troupe-lock-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    return fs::path{name};
  }();

  lock_place() = default;
  lock_place(const lock_place&) = delete;
  lock_place& operator=(const lock_place&) = delete;
  ~lock_place() { fs::remove_all(base); }
};

} // namespace

TEST_CASE("a directory is kept by one, and no file stays in it") {
  const lock_place here;
  const auto wanted = here.base / "results" / "mine";
  {
    const directory_lock first{wanted};
    CHECK_THROWS_WITH_AS(directory_lock{wanted},
                         doctest::Contains((wanted.string() + ": it is in use").c_str()),
                         directory_in_use);
    CHECK_NOTHROW(directory_lock{here.base / "results" / "other"});
    CHECK_NOTHROW(directory_lock{here.base / "results"});
  }
  CHECK_NOTHROW(directory_lock{wanted});
  CHECK(fs::is_empty(wanted));
}

TEST_CASE("a lock moves with its owner") {
  const lock_place here;
  std::optional<directory_lock> first{here.base};
  directory_lock second{std::move(*first)};
  first.reset();
  CHECK_THROWS_AS(directory_lock{here.base}, directory_in_use);
  second = directory_lock{};
  CHECK_NOTHROW(directory_lock{here.base});
}

TEST_CASE("what is no directory is not kept") {
  const lock_place here;
  { std::ofstream{here.base / "file"} << "text"; }
  const directory_lock first{here.base / "file"};
  CHECK_NOTHROW(directory_lock{here.base / "file"});
  CHECK_NOTHROW(directory_lock{here.base / "file" / "below"});
}

TEST_CASE("a process that is started does not keep the directories of its parent") {
  const lock_place here;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::optional<directory_lock> held{here.base};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string word = "cat"; // runs until the pipe is closed
  char* argv[] = {word.data(), nullptr};
  pid_t child = -1;
  REQUIRE(posix_spawnp(&child, "cat", &actions, nullptr, argv, environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  held.reset();
  CHECK_NOTHROW(directory_lock{here.base});
  CHECK(waitpid(child, nullptr, WNOHANG) == 0);
  close(ends[0]);
  close(ends[1]);
  CHECK(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("a process that is killed keeps nothing") {
  const lock_place here;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const directory_lock held{here.base};
    const char ready = 'x';
    if (write(ends[1], &ready, 1) == 1)
      for (;;)
        pause();
    _exit(1);
  }
  char ready = 0;
  REQUIRE(read(ends[0], &ready, 1) == 1);
  CHECK_THROWS_AS(directory_lock{here.base}, directory_in_use);
  kill(child, SIGKILL);
  // A caller that waits gets it as soon as the process has ended.
  CHECK_NOTHROW(directory_lock{here.base, std::chrono::minutes{1}});
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}
