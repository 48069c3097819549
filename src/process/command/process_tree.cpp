#include "process/command/process_tree.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>

namespace troupe {

namespace {

/// A look finds all processes that were there when it began; more looks find their new children.
constexpr int most_looks = 100;

std::string text_of(const std::string& file) {
  std::string text;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return text;
  char part[4096];
  for (ssize_t n = 0; (n = read(fd, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  close(fd);
  return text;
}

/// Children belong to the thread that started them.
void add_children(pid_t parent, std::vector<pid_t>& found) {
  std::error_code gone;
  std::filesystem::directory_iterator threads{"/proc/" + std::to_string(parent) + "/task", gone};
  for (const auto end = std::filesystem::directory_iterator{}; !gone && threads != end;
       threads.increment(gone)) {
    const auto text = text_of(threads->path().string() + "/children");
    const char* at = text.c_str();
    char* next = nullptr;
    for (auto pid = std::strtol(at, &next, 10); next != at; pid = std::strtol(at, &next, 10)) {
      found.push_back(static_cast<pid_t>(pid));
      at = next;
    }
  }
}

std::int64_t own_memory(pid_t pid) {
  const auto status = text_of("/proc/" + std::to_string(pid) + "/status");
  const auto at = status.find("\nRssAnon:");
  return at == std::string::npos ? 0 : std::strtoll(status.c_str() + at + 9, nullptr, 10) * 1024;
}

} // namespace

std::vector<pid_t> descendants_of(pid_t parent) {
  std::vector<pid_t> found;
  add_children(parent, found);
  for (std::size_t i = 0; i < found.size(); ++i)
    add_children(found[i], found);
  return found;
}

std::optional<process_entry> look_at_process(pid_t pid) {
  const auto text = text_of("/proc/" + std::to_string(pid) + "/stat");
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos)
    return std::nullopt;
  std::istringstream rest{text.substr(name_ends + 1)};
  process_entry found;
  found.pid = pid;
  char state = 'X';
  pid_t group = 0;
  rest >> state >> found.parent >> group >> found.session;
  std::int64_t value = 0;
  constexpr int threads_at = 20; // of the fields
  constexpr int started_at = 22;
  std::int64_t threads = 0;
  for (int field = 7; field <= started_at && rest >> value; ++field) {
    if (field == threads_at)
      threads = value;
    if (field == started_at)
      found.started = static_cast<std::uint64_t>(value);
  }
  // The first thread of a process may have ended before the others.
  found.is_alive = (state != 'Z' && state != 'X') || threads > 1;
  return found;
}

std::vector<process_entry> all_processes() {
  std::vector<process_entry> all;
  std::error_code gone;
  std::filesystem::directory_iterator entries{"/proc", gone};
  for (const auto end = std::filesystem::directory_iterator{}; !gone && entries != end;
       entries.increment(gone)) {
    const auto name = entries->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos)
      continue;
    if (const auto found = look_at_process(static_cast<pid_t>(std::atoi(name.c_str()))))
      all.push_back(*found);
  }
  return all;
}

void signal_descendants(int signal) {
  for (const auto pid : descendants_of(getpid()))
    kill(pid, signal);
}

void kill_descendants() {
  std::vector<pid_t> stopped;
  for (int look = 0; look < most_looks; ++look) {
    auto found = descendants_of(getpid());
    std::ranges::sort(found);
    if (std::ranges::includes(stopped, found))
      break;
    for (const auto pid : found)
      kill(pid, SIGSTOP);
    stopped = std::move(found);
  }
  for (const auto pid : stopped)
    kill(pid, SIGKILL);
}

std::int64_t memory_of_descendants() {
  std::int64_t sum = 0;
  for (const auto pid : descendants_of(getpid()))
    sum += own_memory(pid);
  return sum;
}

} // namespace troupe
