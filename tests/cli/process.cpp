#include "cli/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pwd.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe::test {

namespace fs = std::filesystem;

namespace {

/// Programs may run side by side in one directory.
std::string next_stdout_name() {
  static int last = 0;
  return ".stdout-" + std::to_string(++last);
}

} // namespace

program::program(fs::path directory, const std::vector<std::string>& arguments)
  : directory_{std::move(directory)}, stdout_name_{next_stdout_name()} {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  err_pipe_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory_.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, stdout_name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::vector<std::string> words{TROUPE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  // Under nohup the program would ignore SIGHUP, like the test.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failed =
    posix_spawn(&pid_, TROUPE_PROGRAM, &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed)
    throw std::runtime_error("cannot start " TROUPE_PROGRAM);
}

program::~program() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(err_pipe_);
}

bool program::read_more() {
  char buffer[4096];
  const auto n = read(err_pipe_, buffer, sizeof(buffer));
  if (n <= 0)
    return false;
  err_.append(buffer, static_cast<std::size_t>(n));
  return true;
}

bool program::wait_for(std::string_view text) {
  while (err_.find(text) == std::string::npos)
    if (!read_more())
      return false;
  return true;
}

void program::send_signal(int number) {
  if (pid_ <= 0) // kill(-1, ...) would reach every process of the host
    throw std::logic_error("a signal for a process that has ended");
  kill(pid_, number);
}

outcome program::wait() {
  while (read_more()) {
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  outcome result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.out = read_file(directory_ / stdout_name_);
  result.err = err_;
  fs::remove(directory_ / stdout_name_);
  return result;
}

scratch::scratch() {
  auto name = (fs::temp_directory_path() / "troupe-cli-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create " + name);
  path_ = name;
}

scratch::~scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string scratch::write(const std::string& name, std::string_view text) const {
  std::ofstream{path_ / name, std::ios::binary} << text;
  return name;
}

outcome scratch::run(const std::vector<std::string>& arguments) const {
  return program{path_, arguments}.wait();
}

std::vector<std::string> scratch::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator{path_})
    names.push_back(fs::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string own_user() {
  const auto* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : "";
}

} // namespace troupe::test
