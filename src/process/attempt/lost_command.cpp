#include "process/attempt/lost_command.hpp"

#include "process/command/control_group.hpp"
#include "process/command/process_tree.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <map>
#include <poll.h>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// A process that is killed ends within some of these.
constexpr int looks_at_once = 20;
constexpr int between_looks_ms = 3;
/// A look may miss a process that has just been started.
constexpr int looks_without_any = 2;

std::string target_of(const std::string& link) {
  std::array<char, PATH_MAX> text{};
  const auto n = readlink(link.c_str(), text.data(), text.size());
  return n <= 0 ? std::string{} : std::string{text.data(), static_cast<std::size_t>(n)};
}

/// A file as the kernel names it; empty if it is not there.
std::string kernel_name_of(const fs::path& file) {
  const unique_fd fd{open(file.c_str(), O_PATH | O_CLOEXEC)};
  return fd ? target_of("/proc/self/fd/" + std::to_string(fd.get())) : std::string{};
}

class search {
public:
  explicit search(const lost_command& lost)
    : lost_(lost), files_{kernel_name_of(lost.folder.out()), kernel_name_of(lost.folder.err())} {}

  /// Returns the processes of the command that are alive.
  std::vector<process_entry> find() {
    auto all = all_processes();
    std::erase_if(all, [](const process_entry& p) { return !p.is_alive || p.pid == getpid(); });
    const bool has_session = is_ours(all);
    std::vector<process_entry> found;
    std::vector<process_entry> others;
    for (const auto& p : all) {
      const auto earlier = found_.find(p.pid);
      const bool is_found = (has_session && p.session == lost_.leader) || writes_here(p.pid) ||
                            (earlier != found_.end() && earlier->second == p.started);
      (is_found ? found : others).push_back(p);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto is_child = [&](const process_entry& p) { return p.parent == found[i].pid; };
      std::vector<process_entry> children;
      std::ranges::copy_if(others, std::back_inserter(children), is_child);
      std::erase_if(others, is_child);
      found.insert(found.end(), children.begin(), children.end());
    }
    for (const auto& p : found)
      found_[p.pid] = p.started;
    return found;
  }

private:
  bool writes_here(pid_t pid) const {
    const auto streams = "/proc/" + std::to_string(pid) + "/fd/";
    return std::ranges::any_of(std::array{"1", "2"}, [&](const char* stream) {
      const auto file = target_of(streams + stream);
      return !file.empty() && (file == files_[0] || file == files_[1]);
    });
  }

  bool has_variables(pid_t pid) const {
    std::ifstream in{"/proc/" + std::to_string(pid) + "/environ", std::ios::binary};
    const std::string text = '\0' + std::string{std::istreambuf_iterator<char>{in}, {}} + '\0';
    return !lost_.variables.empty() && std::ranges::all_of(lost_.variables, [&](const auto& v) {
      return text.find('\0' + v + '\0') != std::string::npos;
    });
  }

  /// Whether the session of this number is that of the command. While one of its processes is
  /// there, no other session has its number.
  bool is_ours(const std::vector<process_entry>& all) const {
    if (lost_.leader <= 1)
      return false;
    const auto leader = look_at_process(lost_.leader);
    if (leader && lost_.leader_started != 0)
      return leader->started == lost_.leader_started;
    return std::ranges::any_of(all, [&](const process_entry& p) {
      return p.session == lost_.leader && (has_variables(p.pid) || writes_here(p.pid));
    });
  }

  const lost_command& lost_;
  std::array<std::string, 2> files_;
  std::map<pid_t, std::uint64_t> found_; ///< with the times of their starts
};

} // namespace

lost_command lost_command_of(const attempt_folder& folder, const attempt_page& page) {
  const auto spec = parse_command_spec(page.spec());
  lost_command lost{folder, spec.control_group, page.command(), page.command_started()};
  for (const auto& [name, value] : spec.env)
    if (name.starts_with("TROUPE_"))
      lost.variables.push_back(name + '=' + value);
  return lost;
}

bool end_lost_command(const lost_command& lost) {
  const bool in_group = !lost.control_group.empty() && control_group::is_there(lost.control_group);
  search processes{lost};
  int without_any = 0;
  for (int look = 0; look < looks_at_once; ++look) {
    if (look > without_any)
      poll(nullptr, 0, between_looks_ms);
    const auto found = processes.find();
    for (const auto& p : found)
      kill(p.pid, SIGKILL);
    const bool is_empty = !in_group || control_group::end(lost.control_group);
    without_any = found.empty() && is_empty ? without_any + 1 : 0;
    if (without_any == looks_without_any)
      return true;
  }
  return false;
}

} // namespace troupe
