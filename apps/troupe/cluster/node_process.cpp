#include "cluster/node_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

std::string to_string(const process_end& end) {
  if (end.signal != 0)
    return "was killed by signal " + std::to_string(end.signal) + " (" + strsignal(end.signal) +
           ")";
  return "ended with exit code " + std::to_string(end.code);
}

node_process::node_process(std::vector<std::string> arguments, const std::filesystem::path& out,
                           const std::filesystem::path& log) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  arguments.insert(arguments.begin(), program);
  arguments.insert(arguments.end(), {"--end-with", std::to_string(getpid())});
  std::vector<char*> words;
  for (auto& word : arguments)
    words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failed =
    posix_spawn(&pid_, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    pid_ = -1;
    throw std::system_error(failed, std::generic_category(), "cannot start " + program);
  }
}

node_process::~node_process() {
  send(SIGKILL);
  wait(0);
}

void node_process::wait(int options) {
  int status = 0;
  while (pid_ > 0 && !end_) {
    const auto n = waitpid(pid_, &status, options);
    if (n == 0)
      return;
    if (n == pid_)
      end_ =
        WIFEXITED(status) ? process_end{WEXITSTATUS(status), 0} : process_end{0, WTERMSIG(status)};
    else if (errno != EINTR)
      end_ = process_end{};
  }
}

std::optional<process_end> node_process::ended() {
  wait(WNOHANG);
  return end_;
}

void node_process::send(int signal) const {
  if (pid_ > 0 && !end_)
    kill(pid_, signal);
}

} // namespace troupe
