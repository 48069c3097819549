#include "process/command/output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t block = 512; ///< of st_blocks

} // namespace

output_file::output_file(const std::filesystem::path& file, std::uint64_t limit)
  : fd_(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)), limit_(limit) {
  if (!fd_)
    throw std::system_error(errno, std::generic_category(), "cannot open " + file.string());
}

std::uint64_t output_file::size() const {
  struct stat of {};
  return fstat(fd_.get(), &of) == 0 ? static_cast<std::uint64_t>(of.st_size) : 0;
}

void output_file::give_to(const command_user& user) {
  if (fchown(fd_.get(), user.uid, user.gid) != 0)
    throw std::system_error(errno, std::generic_category(),
                            "cannot give its output to the user " + user.name);
}

bool output_file::trim() {
  struct stat of {};
  if (fstat(fd_.get(), &of) != 0)
    return true;
  const auto all = static_cast<std::uint64_t>(of.st_size);
  // There is more than was left, if the command has made the file empty and has written again.
  if (all < dropped_ ||
      static_cast<std::uint64_t>(of.st_blocks) * block > all - dropped_ + 2 * page)
    dropped_ = 0;
  if (limit_ == 0 || all <= dropped_ + limit_)
    return true;
  const auto until = (all - limit_) / page * page;
  if (until <= dropped_)
    return true;
  if (fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                static_cast<off_t>(until)) != 0)
    return false;
  dropped_ = until;
  return true;
}

} // namespace troupe
