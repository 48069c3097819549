#include "cluster/node_process.hpp"

#include "process/base/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
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
  arguments.insert(arguments.end(), {"--end-with", std::to_string(getpid())});
  spawn_plan plan;
  plan.program = std::filesystem::read_symlink("/proc/self/exe");
  plan.arguments = std::move(arguments);
  plan.out.file = out;
  plan.err.file = log;
  plan.err.append = true;
  pid_ = spawn(plan);
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
