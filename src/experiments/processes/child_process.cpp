#include "experiments/processes/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t most_kept = 4096;
constexpr int lines_shown = 3;

/// What posix_spawn is to do before the program starts.
class spawn_plan {
public:
  explicit spawn_plan(int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;
  ~spawn_plan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& pid, const char* program, char* const* words) const {
    return posix_spawn(&pid, program, &actions_, &attributes_, words, environ);
  }

private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

} // namespace

child_process::child_process(const std::filesystem::path& program,
                             std::vector<std::string> arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail(errno, "no pipe for a process");
  errors_ = ends[0];
  arguments.insert(arguments.begin(), program.string());
  std::vector<char*> words;
  for (auto& word : arguments)
    words.push_back(word.data());
  words.push_back(nullptr);
  const int failed = spawn_plan(ends[1]).spawn(pid_, program.c_str(), words.data());
  close(ends[1]);
  if (failed != 0) {
    pid_ = -1;
    end();
    fail(failed, "cannot start " + program.string());
  }
}

child_process::child_process(child_process&& other) noexcept
  : pid_(std::exchange(other.pid_, -1)),
    errors_(std::exchange(other.errors_, -1)),
    text_(std::move(other.text_)) {}

child_process& child_process::operator=(child_process&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    errors_ = std::exchange(other.errors_, -1);
    text_ = std::move(other.text_);
  }
  return *this;
}

child_process::~child_process() {
  end();
}

void child_process::end() noexcept {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (errors_ >= 0)
    close(errors_);
  pid_ = errors_ = -1;
}

bool child_process::read_errors() {
  char part[1024];
  const auto n = read(errors_, part, sizeof part);
  if (n < 0 && errno == EINTR)
    return true;
  if (n <= 0)
    return false;
  text_.append(part, static_cast<std::size_t>(n));
  if (text_.size() > most_kept)
    text_.erase(0, text_.size() - most_kept);
  return true;
}

int child_process::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void child_process::send(int signal) const {
  kill(pid_, signal);
}

std::string child_process::last_errors() const {
  auto end = text_.find_last_not_of(" \r\n");
  if (end == std::string::npos)
    return {};
  auto begin = end;
  for (int lines = 0; begin != std::string::npos && lines < lines_shown; ++lines)
    begin = begin == 0 ? std::string::npos : text_.rfind('\n', begin - 1);
  begin = begin == std::string::npos ? 0 : begin + 1;
  return text_.substr(begin, end + 1 - begin);
}

} // namespace troupe
