#include "nodes/agent/host_machine.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/utsname.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr double mebibyte = 1 << 20;

double usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// The first number in a file; nothing if it is not there or says "max".
std::optional<double> number_in(const fs::path& file) {
  std::ifstream in{file};
  double number = 0;
  return in >> number ? std::optional{number} : std::nullopt;
}

/// The control group of this process, in the unified hierarchy.
fs::path control_group(const fs::path& root) {
  std::ifstream in{root / "proc/self/cgroup"};
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("0::/"))
      return root / "sys/fs/cgroup" / line.substr(4);
  return root / "sys/fs/cgroup";
}

/// Calls `function` for the control group and those around it.
template <class Function>
void for_each_group(const fs::path& root, Function function) {
  const auto top = root / "sys/fs/cgroup";
  for (auto at = control_group(root);; at = at.parent_path()) {
    function(at);
    if (at == top || !at.has_relative_path() || at == at.parent_path())
      return;
  }
}

double core_limit(const fs::path& root) {
  double limit = std::numeric_limits<double>::infinity();
  for_each_group(root, [&](const fs::path& group) {
    std::ifstream in{group / "cpu.max"};
    double quota = 0;
    double period = 0;
    if (in >> quota >> period && period > 0)
      limit = std::min(limit, quota / period);
  });
  return limit;
}

double memory_of(const fs::path& root) {
  std::ifstream in{root / "proc/meminfo"};
  double bytes = 0;
  for (std::string word; in >> word;)
    if (word == "MemTotal:" && in >> bytes) {
      bytes *= 1024;
      break;
    }
  if (bytes <= 0)
    throw std::runtime_error((root / "proc/meminfo").string() +
                             ": no line \"MemTotal: N kB\", so it is not known how much memory "
                             "this host has; say it by --memory GIB");
  for_each_group(root, [&](const fs::path& group) {
    if (const auto limit = number_in(group / "memory.max"))
      bytes = std::min(bytes, *limit);
  });
  return bytes;
}

std::int32_t cards_in(const fs::path& devices) {
  std::int32_t n = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{devices, none}) {
    const auto name = entry.path().filename().string();
    n += name.size() > 6 && name.starts_with("nvidia") &&
         std::all_of(name.begin() + 6, name.end(), [](unsigned char c) { return std::isdigit(c); });
  }
  return n;
}

std::string system_in(const fs::path& release) {
  std::ifstream in{release};
  std::string id;
  std::string version;
  for (std::string line; std::getline(in, line);) {
    std::erase(line, '"');
    if (line.starts_with("ID="))
      id = line.substr(3);
    if (line.starts_with("VERSION_ID="))
      version = line.substr(11);
  }
  return version.empty() ? id : id + '-' + version;
}

} // namespace

machine_description describe_host(const fs::path& root, std::uint32_t cores) {
  machine_description host;
  const auto usable = std::min(cores > 0 ? cores : usable_cores(), core_limit(root));
  host.capacity[resource::cpu] = static_cast<std::int32_t>(std::floor(usable * 1000));
  host.capacity[resource::memory] = static_cast<std::int32_t>(memory_of(root) / mebibyte);
  host.capacity[resource::gpu] = cards_in(root / "dev") * 1000;
  host.capacity[resource::slots] = std::max(1, static_cast<std::int32_t>(usable));
  if (const auto system = system_in(root / "etc/os-release"); !system.empty())
    host.attributes["os"] = system;
  if (utsname name{}; uname(&name) == 0)
    host.attributes["arch"] = name.machine;
  return host;
}

} // namespace troupe
