#include "process/base/spawn.hpp"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

class file_actions {
public:
  file_actions() { posix_spawn_file_actions_init(&actions_); }
  file_actions(const file_actions&) = delete;
  file_actions& operator=(const file_actions&) = delete;
  ~file_actions() { posix_spawn_file_actions_destroy(&actions_); }

  void set(int number, const spawn_plan::stream& to) {
    if (to.fd >= 0)
      posix_spawn_file_actions_adddup2(&actions_, to.fd, number);
    else if (to.file.empty())
      posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_WRONLY, 0);
    else
      posix_spawn_file_actions_addopen(&actions_, number, to.file.c_str(),
                                       O_WRONLY | O_CREAT | (to.append ? O_APPEND : O_TRUNC), 0644);
  }

  void read_nothing() {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }

  void pass(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }

  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_;
};

class attributes {
public:
  explicit attributes(bool own_session) {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(
      &attributes_, static_cast<short>(own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP));
  }
  attributes(const attributes&) = delete;
  attributes& operator=(const attributes&) = delete;
  ~attributes() { posix_spawnattr_destroy(&attributes_); }

  const posix_spawnattr_t* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_;
};

} // namespace

pid_t spawn(const spawn_plan& plan) {
  auto program = plan.program.string();
  auto arguments = plan.arguments;
  std::vector<char*> words{program.data()};
  for (auto& word : arguments)
    words.push_back(word.data());
  words.push_back(nullptr);
  file_actions files;
  files.read_nothing();
  files.set(STDOUT_FILENO, plan.out);
  files.set(STDERR_FILENO, plan.err);
  for (const auto& [from, to] : plan.passed)
    files.pass(from, to);
  const attributes how{plan.own_session};
  pid_t pid = -1;
  if (const int failed =
        posix_spawn(&pid, program.c_str(), files.get(), how.get(), words.data(), environ);
      failed != 0)
    throw std::system_error(failed, std::generic_category(), "cannot start " + program);
  return pid;
}

} // namespace troupe
