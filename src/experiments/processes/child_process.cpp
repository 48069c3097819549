#include "experiments/processes/child_process.hpp"

#include "process/base/spawn.hpp"
#include "process/base/unique_fd.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t most_kept = 4096;
constexpr int lines_shown = 3;

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
  const unique_fd theirs{ends[1]};
  try {
    spawn_plan plan;
    plan.program = program;
    plan.arguments = std::move(arguments);
    plan.err.fd = theirs.get();
    pid_ = spawn(plan);
  } catch (...) {
    end();
    throw;
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
