#include "nodes/execution/task_folders.hpp"

#include "process/base/host_clock.hpp"
#include "security/files.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// Of the state of an attempt whose end was seen.
constexpr mode_t seen_mode = 0400;

/// When the end of an attempt was seen, in s since 1970; nothing if it was not.
std::optional<std::time_t> seen_at(const attempt_folder& folder) {
  struct stat of {};
  if (stat(folder.state().c_str(), &of) != 0 || (of.st_mode & S_IWUSR) != 0)
    return std::nullopt;
  return of.st_ctim.tv_sec;
}

std::string new_id() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i)
    id += std::to_string(random());
  return id;
}

/// What stands in the file, which is made at the first start.
std::string id_in(const fs::path& file) {
  std::string id;
  if (std::ifstream in{file}; in >> id)
    return id;
  id = new_id();
  write_small_file(file, id + '\n', 0644, existing::replace);
  return id;
}

} // namespace

std::optional<attempt_key> parse_attempt_key(const std::string& text) {
  attempt_key key;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](auto& into, char stop) {
    const auto [next, error] = std::from_chars(at, end, into);
    const bool good =
      error == std::errc{} && (stop == '\0' ? next == end : next < end && *next == stop);
    at = stop == '\0' ? next : next + 1;
    return good;
  };
  if (!number(key.job, '.') || !number(key.task, '.') || !number(key.attempt, '\0'))
    return std::nullopt;
  return key;
}

task_folders::task_folders(fs::path at) : at_(std::move(at)) {
  fs::create_directories(at_);
  struct stat of {};
  if (stat(at_.c_str(), &of) != 0 || (of.st_mode & S_IWOTH) != 0 || of.st_uid != geteuid())
    throw std::runtime_error(at_.string() + " may be written by others; expected a directory of "
                                            "this user alone, since commands are read from it");
  id_ = id_in(at_ / "id");
}

std::vector<attempt_key> task_folders::open_ones() const {
  std::vector<attempt_key> open;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{at_, none})
    if (const auto key = parse_attempt_key(entry.path().filename().string());
        key && !seen_at(attempt_folder{entry.path()}))
      open.push_back(*key);
  std::ranges::sort(open);
  return open;
}

void task_folders::mark_seen(const attempt_key& which) const {
  const auto file = of(which).state();
  if (chmod(file.c_str(), seen_mode) != 0) // its command could not be started
    unique_fd{open(file.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, seen_mode)};
}

void task_folders::remove_older_than(std::chrono::seconds age) const {
  const auto now = std::time(nullptr);
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{at_, none})
    if (const auto seen = seen_at(attempt_folder{entry.path()}); seen && now - *seen > age.count())
      fs::remove_all(entry.path(), none);
}

std::optional<task_folders::output> task_folders::read(const attempt_key& which, bool errors,
                                                       std::uint64_t offset,
                                                       std::size_t limit) const {
  const auto folder = of(which);
  const auto file = errors ? folder.err() : folder.out();
  const unique_fd fd{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat of {};
  if (!fd || fstat(fd.get(), &of) != 0)
    return fs::exists(folder.path()) ? std::optional{output{}} : std::nullopt;
  output found;
  found.size = static_cast<std::uint64_t>(of.st_size);
  // What was given back to the file system is a hole.
  const auto kept = lseek(fd.get(), static_cast<off_t>(std::min(offset, found.size)), SEEK_DATA);
  found.offset = kept < 0 ? found.size : std::max(offset, static_cast<std::uint64_t>(kept));
  found.offset = std::min(found.offset, found.size);
  found.bytes.resize(std::min<std::uint64_t>(limit, found.size - found.offset));
  std::size_t have = 0;
  while (have < found.bytes.size()) {
    const auto n = pread(fd.get(), found.bytes.data() + have, found.bytes.size() - have,
                         static_cast<off_t>(found.offset + have));
    if (n <= 0)
      break;
    have += static_cast<std::size_t>(n);
  }
  found.bytes.resize(have);
  return found;
}

} // namespace troupe
