#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace troupe::test;

namespace {

/// `troupe top` on a pseudo-terminal.
class on_terminal {
public:
  on_terminal(const std::filesystem::path& directory, unsigned short columns,
              unsigned short lines) {
    winsize size{lines, columns, 0, 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      setenv("TERM", "xterm", 1);
      setenv("LC_ALL", "C", 1);
      unsetenv("NO_COLOR");
      if (chdir(directory.c_str()) == 0)
        execl(TROUPE_PROGRAM, TROUPE_PROGRAM, "top", "--interval", "0.2", nullptr);
      _exit(127);
    }
  }
  on_terminal(const on_terminal&) = delete;
  on_terminal& operator=(const on_terminal&) = delete;
  ~on_terminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
  }

  /// Reads until the text appears in what was written since the last call that found one.
  bool shows(const std::string& text) {
    return eventually([&] {
      read_some();
      const auto at = written_.find(text);
      if (at == std::string::npos)
        return false;
      written_.erase(0, at + text.size());
      return true;
    });
  }

  void press(char key) { CHECK(write(terminal_, &key, 1) == 1); }

  void resize(unsigned short columns, unsigned short lines) {
    winsize size{lines, columns, 0, 0};
    ioctl(terminal_, TIOCSWINSZ, &size);
  }

  void send_signal(int number) { kill(pid_, number); }

  bool is_stopped() {
    return eventually([&] {
      int status = 0;
      read_some();
      return waitpid(pid_, &status, WNOHANG | WUNTRACED) == pid_ && WIFSTOPPED(status);
    });
  }

  /// The exit code, once it has ended.
  int end() {
    int status = 0;
    REQUIRE(eventually([&] {
      read_some();
      return waitpid(pid_, &status, WNOHANG) == pid_;
    }));
    pid_ = -1;
    read_some();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

private:
  void read_some() {
    char part[4096];
    for (pollfd ready{terminal_, POLLIN, 0}; poll(&ready, 1, 20) > 0;) {
      const auto n = read(terminal_, part, sizeof part);
      if (n <= 0)
        return;
      written_.append(part, static_cast<std::size_t>(n));
    }
  }

  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string written_;
};

constexpr const char* enter = "\x1b[?1049h";
constexpr const char* leave = "\x1b[?1049l";

} // namespace

TEST_CASE("top shows a cluster in a terminal, obeys keys and restores the screen") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  on_terminal top{cluster.here().path(), 100, 30};
  CHECK(top.shows(enter));
  CHECK(top.shows("Tasks"));
  CHECK(top.shows("busy"));
  top.press('n');
  CHECK(top.shows("node-4"));
  top.press('e');
  CHECK(top.shows("Use")); // the next frame
  top.press('?');
  CHECK(top.shows("sort by the column"));
  top.press('?');
  top.resize(50, 30);
  CHECK(top.shows("needs 60 columns"));
  top.resize(100, 30);
  CHECK(top.shows("Tasks"));
  top.send_signal(SIGTSTP);
  CHECK(top.is_stopped());
  CHECK(top.shows(leave));
  top.send_signal(SIGCONT);
  CHECK(top.shows(enter));
  CHECK(top.shows("Tasks"));
  top.press('q');
  CHECK(top.end() == 0);
  CHECK(top.shows(leave));
}

TEST_CASE("top says that a cluster does not answer, and ends all the same") {
  running_cluster cluster{{"--set", endless_trickle}};
  cluster.wait_until_finished();
  on_terminal top{cluster.here().path(), 100, 30};
  CHECK(top.shows("Tasks"));
  const auto master = cluster.pid_of("node-1");
  kill(master, SIGSTOP);
  CHECK(top.shows("no answer"));
  kill(master, SIGCONT);
  top.press('q');
  CHECK(top.end() == 0);
}

TEST_CASE("signals end top, and the screen is restored") {
  running_cluster cluster{{"--set", endless_trickle}};
  for (const int number : {SIGINT, SIGTERM}) {
    on_terminal top{cluster.here().path(), 80, 24};
    CHECK(top.shows("troupe top"));
    top.send_signal(number);
    CHECK(top.end() == (number == SIGINT ? 0 : 128 + number));
    CHECK(top.shows(leave));
  }
}

TEST_CASE("top notes the takeover of members of a node that dies") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  const auto top = [&] {
    const auto asked = cluster.here().run({"top", "--json"});
    return json::parse(asked.out, nullptr, false);
  };
  const auto before = top();
  REQUIRE(before["samples"].get<int>() > 0);
  CHECK(before["tasks"]["running"].get<int>() > 0);
  CHECK(before["nodes"].size() == 4);
  CHECK(before["schedulers"][0]["policy"] != "");
  kill(cluster.pid_of("node-3"), SIGKILL);
  CHECK(eventually([&] {
    const auto now = top();
    int takeovers = 0;
    for (const char* members : {"owners", "schedulers"})
      for (const auto& m : now[members])
        takeovers += m["takeovers"].get<int>();
    bool noted = false;
    for (const auto& e : now["events"])
      noted = noted || e["what"] == "takeover";
    bool gone = false;
    for (const auto& n : now["nodes"])
      gone = gone || (n["name"] == "node-3" && n["state"] == "gone");
    return takeovers > 0 && noted && gone;
  }));
  const auto block = cluster.here().run({"top", "--once"});
  CHECK(block.code == 0);
  CHECK(contains(block.out, "Event    "));
  CHECK_FALSE(contains(block.out, "\x1b"));
}
