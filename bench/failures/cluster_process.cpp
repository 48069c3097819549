#include "failures/cluster_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe::trials {

namespace fs = std::filesystem;

cluster_process::cluster_process(const fs::path& directory, const std::vector<std::string>& words,
                                 const std::string& out, const std::string& log) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (auto& word : copies)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int failed =
    posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    pid_ = -1;
    throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(failed));
  }
}

cluster_process::~cluster_process() {
  send(SIGKILL);
  wait();
}

void cluster_process::look(int options) {
  int status = 0;
  while (pid_ > 0 && !code_) {
    const auto n = wait4(pid_, &status, options, &usage_);
    if (n == 0)
      return;
    if (n == pid_)
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    else if (errno != EINTR)
      code_ = 0;
  }
}

void cluster_process::send(int signal) const {
  if (pid_ > 0 && !code_)
    kill(pid_, signal);
}

bool cluster_process::has_ended() {
  look(WNOHANG);
  return code_.has_value();
}

int cluster_process::wait() {
  look(0);
  return code_.value_or(0);
}

std::optional<std::string> output_of(const fs::path& directory,
                                     const std::vector<std::string>& words) {
  const std::string out = ".output";
  cluster_process run{directory, words, out, ".errors"};
  if (run.wait() != 0)
    return std::nullopt;
  return read_text(directory / out);
}

std::string read_text(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace troupe::trials
