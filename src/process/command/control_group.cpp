#include "process/command/control_group.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// The kernel refuses a write by an error of write(2), which a stream shows when it is flushed.
bool put(const fs::path& file, const std::string& text) {
  std::error_code none;
  if (!fs::exists(file, none))
    return false;
  std::ofstream out{file};
  out << text << std::flush;
  return static_cast<bool>(out);
}

/// Sets a limit, if there is its file: without a controller there is none. A refusal is told once
/// in a process.
bool put_limit(const fs::path& file, const std::string& text) {
  std::error_code none;
  if (put(file, text))
    return true;
  const auto error = errno;
  static std::atomic_flag told = ATOMIC_FLAG_INIT;
  if (fs::exists(file, none) && !told.test_and_set())
    std::fprintf(stderr,
                 "troupe: the kernel refuses \"%s\" in %s: %s; expected a limit that it takes. "
                 "Commands like this one run without that limit\n",
                 text.c_str(), file.c_str(), std::strerror(error));
  return false;
}

std::uint64_t value_in(const fs::path& file, const std::string& name) {
  std::ifstream in{file};
  std::uint64_t value = 0;
  for (std::string word; in >> word >> value;)
    if (word == name)
      return value;
  return 0;
}

/// Returns whether a group is there.
bool make_group(const fs::path& directory) {
  return mkdir(directory.c_str(), 0755) == 0 || errno == EEXIST;
}

struct controllers {
  bool memory = false;
  bool cpu = false;
};

/// Lets the groups below a group have limits, and returns which.
controllers pass_controllers_on(const fs::path& group) {
  const auto file = group / "cgroup.subtree_control";
  return {put(file, "+memory"), put(file, "+cpu")};
}

/// Returns the control group of this process if it may make groups in it.
std::optional<fs::path> own_control_group() {
  std::ifstream in{"/proc/self/cgroup"};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/"))
      continue;
    for (const auto* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
      auto group = fs::path{root} / line.substr(4);
      std::error_code none;
      if (fs::exists(group / "cgroup.controllers", none) && access(group.c_str(), W_OK) == 0 &&
          access((group / "cgroup.procs").c_str(), W_OK) == 0)
        return group;
    }
  }
  return std::nullopt;
}

} // namespace

std::string cpu_quota(double cores) {
  // The kernel takes quotas of at least 1 ms, and periods of at most 1 s.
  constexpr double least_us = 1'000;
  constexpr double usual_us = 100'000;
  constexpr double longest_us = 1'000'000;
  const auto period = std::ceil(std::clamp(least_us / cores, usual_us, longest_us));
  const auto quota = std::max(cores * period, least_us);
  return std::to_string(std::llround(quota)) + ' ' + std::to_string(std::llround(period));
}

control_group::control_group(fs::path directory, const limits& most)
  : directory_(std::move(directory)) {
  bool made = make_group(directory_);
  if (!made && errno == ENOENT) {
    // Somebody has removed the group of all commands, which is empty between two of them.
    const auto parent = directory_.parent_path();
    if (make_group(parent))
      pass_controllers_on(parent);
    made = make_group(directory_);
  }
  if (!made)
    throw std::system_error(errno, std::generic_category(),
                            "cannot make the control group " + directory_.string());
  if (most.memory_bytes > 0) {
    limits_memory_ = put_limit(directory_ / "memory.max", std::to_string(most.memory_bytes));
    put(directory_ / "memory.oom.group", "1");
    put(directory_ / "memory.swap.max", "0");
  }
  if (most.cpu > 0)
    limits_cpu_ = put_limit(directory_ / "cpu.max", cpu_quota(most.cpu));
}

bool control_group::kill() const {
  return put(directory_ / "cgroup.kill", "1");
}

bool control_group::is_there(const fs::path& directory) {
  std::error_code none;
  return fs::exists(directory / "cgroup.procs", none);
}

bool control_group::end(const fs::path& directory) {
  if (!put(directory / "cgroup.kill", "1")) {
    std::ifstream in{directory / "cgroup.procs"};
    for (pid_t pid = 0; in >> pid;)
      ::kill(pid, SIGKILL);
  }
  if (value_in(directory / "cgroup.events", "populated") != 0)
    return false;
  rmdir(directory.c_str());
  return true;
}

bool control_group::is_empty() const {
  return value_in(directory_ / "cgroup.events", "populated") == 0;
}

std::uint64_t control_group::oom_kills() const {
  return value_in(directory_ / "memory.events", "oom_kill");
}

bool control_group::remove() const {
  return rmdir(directory_.c_str()) == 0;
}

std::optional<group_of_commands> prepare_group_of_commands() {
  const auto own = own_control_group();
  if (!own)
    return std::nullopt;
  // The root has no limits of its own, and may have processes.
  if (fs::exists(*own / "cgroup.events")) {
    const auto node = *own / "node";
    if (!make_group(node) || !put(node / "cgroup.procs", std::to_string(getpid())))
      return std::nullopt;
  }
  const auto directory = *own / "tasks";
  if (!make_group(directory))
    return std::nullopt;
  const auto here = pass_controllers_on(*own);
  const auto below = pass_controllers_on(directory);
  return group_of_commands{directory, here.memory && below.memory, here.cpu && below.cpu};
}

} // namespace troupe
