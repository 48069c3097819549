#include "process/supervisor/supervisor_server.hpp"

#include "process/supervisor/supervisor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <poll.h>
#include <set>
#include <string>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe {

namespace {

constexpr std::size_t longest_name = 200;
/// Between two attempts to make the process of a supervisor.
constexpr int between_forks_ms = 200;

class server {
public:
  server(int requests, int tied_to) : requests_(requests) {
    if (tied_to > 0)
      tied_to_.reset(static_cast<int>(syscall(SYS_pidfd_open, tied_to, 0)));
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "troupe-tasks");
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    children_.reset(signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC));
  }

  void serve() {
    for (;;) {
      pollfd on[] = {{requests_, POLLIN, 0}, {children_.get(), POLLIN, 0}};
      if (poll(on, 2, unmade_.empty() ? -1 : between_forks_ms) < 0 && errno != EINTR)
        return;
      reap();
      while (!unmade_.empty() && start(unmade_.front()))
        unmade_.pop_front();
      if (on[0].revents != 0 && !take_request())
        return;
    }
  }

private:
  /// Returns false at the end of the node.
  bool take_request() {
    std::array<char, longest_name> name{};
    const auto n = recv(requests_, name.data(), name.size(), MSG_DONTWAIT);
    if (n < 0)
      return errno == EAGAIN || errno == EINTR;
    if (n == 0)
      return false;
    const std::string wanted{name.data(), static_cast<std::size_t>(n)};
    if (!start(wanted)) {
      std::fprintf(stderr,
                   "troupe: cannot make a process for the supervisor of %s: %s; tried again\n",
                   wanted.c_str(), std::strerror(errno));
      unmade_.push_back(wanted);
    }
    return true;
  }

  /// Returns false if the host has no room for a process. The supervisor of an attempt that the
  /// node has given up meanwhile finds that the lease is over.
  bool start(const std::string& name) {
    const auto pid = fork();
    if (pid == 0)
      supervise(name);
    if (pid > 0)
      supervisors_.insert(pid);
    return pid > 0;
  }

  [[noreturn]] void supervise(const std::string& name) {
    setsid();
    children_.reset();
    const auto tell = [&](supervisor::note what) {
      const auto text = static_cast<char>(what) + (' ' + name);
      send(requests_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    };
    try {
      supervisor{attempt_folder{std::filesystem::current_path() / name}, tell, tied_to_.get()}
        .run();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "troupe: the supervisor of %s: %s\n", name.c_str(), e.what());
      tell(supervisor::note::ended);
    }
    _exit(0);
  }

  void reap() {
    signalfd_siginfo info{};
    while (read(children_.get(), &info, sizeof info) > 0) {
    }
    bool orphans = false;
    int status = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
      orphans = (supervisors_.erase(pid) > 0 && WIFSIGNALED(status)) || orphans;
    if (orphans || orphans_left_)
      kill_orphans();
  }

  /// Kills the children that are no supervisors.
  void kill_orphans() {
    orphans_left_ = false;
    FILE* in =
      std::fopen(("/proc/self/task/" + std::to_string(getpid()) + "/children").c_str(), "re");
    if (in == nullptr)
      return;
    for (int pid = 0; std::fscanf(in, "%d", &pid) == 1;)
      if (!supervisors_.contains(pid)) {
        kill(pid, SIGKILL);
        orphans_left_ = true; // its children become ours
      }
    std::fclose(in);
  }

  int requests_;
  unique_fd children_;
  unique_fd tied_to_;
  std::set<pid_t> supervisors_;
  std::deque<std::string> unmade_; ///< whose supervisors the host had no room for
  bool orphans_left_ = false;
};

} // namespace

void serve_supervisors(int requests, int tied_to) {
  server{requests, tied_to}.serve();
}

} // namespace troupe
