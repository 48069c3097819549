#include "security/files.hpp"

#include "security/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t size_limit = 1 << 20;

class descriptor {
public:
  explicit descriptor(int fd) : fd_{fd} {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  int get() const { return fd_; }

private:
  int fd_;
};

[[noreturn]] void refuse(const fs::path& path, const std::string& what, std::string_view expected) {
  throw security_error{path.string() + ": " + what + "; expected " + std::string{expected}};
}

std::string reading_failure(int error) {
  if (error == ENOENT || error == ENOTDIR)
    return "there is no such file";
  if (error == EACCES || error == EPERM)
    return "the file may not be read (permission denied)";
  return std::string{"the file cannot be read ("} + std::strerror(error) + ')';
}

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw std::runtime_error{path.string() + ": cannot be written: " + std::strerror(error)};
}

/// Returns 0, or the number of the error.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR)
      return errno;
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

/// Waits until the names of the files in a directory are on its disk. Returns 0, or the number of
/// the error.
int keep_names(const fs::path& directory) {
  const descriptor open{
    ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  return open.get() >= 0 && ::fsync(open.get()) == 0 ? 0 : errno;
}

} // namespace

std::string read_small_file(const fs::path& path, std::string_view expected) {
  const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.get() < 0)
    refuse(path, reading_failure(errno), expected);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0)
    refuse(path, reading_failure(errno), expected);
  if (!S_ISREG(status.st_mode))
    refuse(path, S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file", expected);
  std::string text;
  char block[4096];
  for (;;) {
    const auto n = ::read(file.get(), block, sizeof block);
    if (n == 0)
      return text;
    if (n < 0 && errno != EINTR)
      refuse(path, reading_failure(errno), expected);
    if (n > 0)
      text.append(block, static_cast<std::size_t>(n));
    if (text.size() > size_limit)
      refuse(path, "the file is longer than 1 MiB", expected);
  }
}

void write_small_file(const fs::path& path, std::string_view text, mode_t mode,
                      existing what_is_there) {
  const bool replaces = what_is_there == existing::replace;
  const auto target = replaces ? fs::path{path.string() + ".new"} : path;
  if (replaces)
    ::unlink(target.c_str());
  const descriptor file{::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)};
  if (file.get() < 0 && errno == EEXIST)
    throw security_error{target.string() + " exists already and is not overwritten"};
  if (file.get() < 0)
    fail_to_write(path, errno);
  auto error = write_all(file.get(), text);
  if (error == 0 && replaces && ::rename(target.c_str(), path.c_str()) != 0)
    error = errno;
  if (error == 0)
    error = keep_names(path.parent_path());
  if (error != 0) {
    ::unlink(target.c_str());
    fail_to_write(path, error);
  }
}

void make_private_directory(const fs::path& path) {
  if (path.empty())
    throw security_error{"the name of the directory is empty; expected one such as certs"};
  const auto directory = path.has_filename() ? path : path.parent_path();
  if (directory.has_parent_path())
    fs::create_directories(directory.parent_path());
  if (::mkdir(directory.c_str(), 0700) == 0)
    return;
  const auto error = errno;
  if (error != EEXIST)
    throw std::runtime_error{directory.string() +
                             ": the directory cannot be created: " + std::strerror(error)};
  if (!fs::is_directory(directory))
    throw security_error{directory.string() + " is not a directory; expected one, or none yet"};
}

void check_private_directory(const fs::path& path) {
  const auto directory = path.has_filename() ? path : path.parent_path();
  struct stat status {};
  if (::lstat(directory.c_str(), &status) != 0)
    return;
  constexpr std::string_view expected = "a directory of your own that no other user may write to";
  if (S_ISLNK(status.st_mode))
    refuse(directory, "is a symbolic link, and keys are not written through one", expected);
  if (!S_ISDIR(status.st_mode))
    refuse(directory, "is not a directory", expected);
  // Root may work in the directories of others, such as a checkout in a container.
  if (status.st_uid != ::geteuid() && ::geteuid() != 0)
    refuse(directory, "belongs to another user", expected);
  if ((status.st_mode & S_IWOTH) != 0)
    refuse(directory, "may be written to by all users", expected);
}

} // namespace troupe
