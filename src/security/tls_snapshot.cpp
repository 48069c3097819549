#include "security/tls_snapshot.hpp"

#include "security/files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace fs = std::filesystem;

namespace {

class memory_file {
public:
  memory_file() : fd_{::memfd_create("troupe-tls", MFD_CLOEXEC | MFD_ALLOW_SEALING)} {
    require(fd_ >= 0);
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  void fill(std::string_view text) const {
    require(::fchmod(fd_, 0600) == 0);
    require(::write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    constexpr int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    require(::fcntl(fd_, F_ADD_SEALS, seals) == 0);
  }

  fs::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  int release() { return std::exchange(fd_, -1); }

private:
  static void require(bool done) {
    if (!done)
      throw std::system_error{errno, std::generic_category(), "keeping a certificate in memory"};
  }

  int fd_;
};

} // namespace

tls_snapshot::tls_snapshot(const tls_files& files, wall_time now)
  : identity_{check_tls_files(files, now)} {
  constexpr fs::path tls_files::*members[] = {&tls_files::certificate, &tls_files::key,
                                              &tls_files::authority};
  memory_file kept[3];
  for (std::size_t i = 0; i < 3; ++i) {
    kept[i].fill(read_small_file(files.*members[i], "what was there a moment ago"));
    copies_.*members[i] = kept[i].path();
  }
  check_tls_files(copies_, now);
  for (std::size_t i = 0; i < 3; ++i)
    descriptors_[i] = kept[i].release();
}

tls_snapshot::~tls_snapshot() {
  for (const int fd : descriptors_)
    ::close(fd);
}

} // namespace troupe
