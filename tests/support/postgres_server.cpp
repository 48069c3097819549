#include "support/postgres_server.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <pwd.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace troupe::test {

namespace {

namespace fs = std::filesystem;

constexpr auto patience = std::chrono::seconds{60};
constexpr auto look_pause = std::chrono::milliseconds{20};

/// Where Debian has the programs of the server; empty: it is not installed.
fs::path find_programs() {
  std::error_code none;
  for (const auto& version : fs::directory_iterator{"/usr/lib/postgresql", none})
    if (fs::exists(version.path() / "bin" / "initdb"))
      return version.path() / "bin";
  return {};
}

/// Begins a program as a user, its output in a file.
pid_t begin(const std::vector<std::string>& words, uid_t user, gid_t group, const fs::path& log) {
  std::vector<char*> raw;
  for (const auto& w : words)
    raw.push_back(const_cast<char*>(w.c_str()));
  raw.push_back(nullptr);
  const auto pid = fork();
  if (pid != 0)
    return pid;
  if (geteuid() == 0 && (setgid(group) != 0 || setuid(user) != 0))
    _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  close_range(3, ~0U, 0);
  setsid();
  setenv("LC_ALL", "C", 1);
  execv(raw[0], raw.data());
  _exit(127);
}

int result_of(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool comes_true(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until)
      return false;
    std::this_thread::sleep_for(look_pause);
  }
  return true;
}

} // namespace

postgres_server* postgres_server::shared() {
  static const bool is_there = [] {
    const bool found = !find_programs().empty();
    if (!found)
      std::fprintf(stderr, "skipped: PostgreSQL is not installed (postgresql-15)\n");
    return found;
  }();
  static const auto server = is_there ? std::make_unique<postgres_server>() : nullptr;
  return server.get();
}

postgres_server::postgres_server() : programs_(find_programs()) {
  auto name = (fs::temp_directory_path() / "troupe-pg-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no scratch directory");
  directory_ = name;
  user_ = geteuid();
  group_ = getegid();
  if (user_ == 0) {
    const auto* entry = getpwnam("postgres");
    if (entry == nullptr)
      entry = getpwnam("nobody");
    user_ = entry->pw_uid;
    group_ = entry->pw_gid;
    if (chown(directory_.c_str(), user_, group_) != 0)
      throw std::runtime_error("the directory cannot be given away");
  }
  make_cluster();
  start();
}

postgres_server::~postgres_server() {
  kill(pid_, SIGQUIT); // at once, but without leaving memory behind
  result_of(pid_);
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

void postgres_server::make_cluster() const {
  const auto made = begin({programs_ / "initdb", "-D", directory_ / "data", "-U", "troupe", "-A",
                           "trust", "-E", "UTF8", "--locale=C", "-N", "--no-instructions"},
                          user_, group_, directory_ / "log");
  if (result_of(made) != 0)
    throw std::runtime_error("initdb has failed: see " + (directory_ / "log").string());
}

void postgres_server::start() {
  const auto answers = [&] {
    return result_of(begin({programs_ / "pg_isready", "-q", "-h", directory_}, user_, group_,
                           directory_ / "log")) == 0;
  };
  // After a hard end, processes of the last server may be there for a moment yet.
  const bool is_up = comes_true([&] {
    if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_)
      pid_ = -1;
    if (pid_ < 0)
      pid_ = begin({programs_ / "postgres", "-D", directory_ / "data", "-k", directory_, "-c",
                    "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "max_connections=60"},
                   user_, group_, directory_ / "log");
    return answers();
  });
  if (!is_up)
    throw std::runtime_error("PostgreSQL does not start: see " + (directory_ / "log").string());
}

void postgres_server::kill_hard() {
  if (pid_ < 0)
    return;
  kill(pid_, SIGKILL);
  result_of(pid_);
  pid_ = -1;
}

std::string postgres_server::new_database() {
  const auto name = "test" + std::to_string(++databases_);
  const auto address_of = [&](const std::string& database) {
    return "postgresql:///" + database + "?host=" + directory_.string() + "&user=troupe";
  };
  run(address_of("postgres"), "CREATE DATABASE " + name);
  return address_of(name);
}

void postgres_server::run(const std::string& address, const std::string& sql) const {
  if (result_of(
        begin({programs_ / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql},
              user_, group_, directory_ / "log")) != 0)
    throw std::runtime_error("psql has failed: see " + (directory_ / "log").string());
}

} // namespace troupe::test
