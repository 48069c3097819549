#include "process/attempt/attempt_folder.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), "cannot make " + file.string());
}

/// Others may not read it: environments hold secrets.
void write_private(const std::filesystem::path& file, const std::string& text) {
  const unique_fd fd{open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (!fd)
    fail(file);
  for (std::size_t at = 0; at < text.size();) {
    const auto n = write(fd.get(), text.data() + at, text.size() - at);
    if (n < 0)
      fail(file);
    at += static_cast<std::size_t>(n);
  }
}

} // namespace

attempt_page attempt_folder::create(const command_spec& spec, std::int64_t deadline) const {
  // Another user passes through it to `work`.
  if (mkdir(at_.c_str(), spec.user.is_set() ? 0711 : 0700) != 0)
    fail(at_);
  if (spec.dir.empty() &&
      (mkdir(work().c_str(), 0700) != 0 ||
       (spec.user.is_set() && chown(work().c_str(), spec.user.uid, spec.user.gid) != 0)))
    fail(work());
  write_private(at_ / "spec", to_json(spec));
  if (mkfifo((at_ / "wake").c_str(), 0600) != 0)
    fail(at_ / "wake");
  auto page = attempt_page::create(at_ / "state");
  page.set_deadline(deadline);
  return page;
}

command_spec attempt_folder::spec() const {
  std::ifstream in{at_ / "spec", std::ios::binary};
  if (!in)
    throw std::runtime_error("cannot read " + (at_ / "spec").string());
  return parse_command_spec({std::istreambuf_iterator<char>{in}, {}});
}

void attempt_folder::wake() const {
  // Fails if nobody reads.
  const unique_fd fd{open((at_ / "wake").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
  constexpr char byte = 1;
  if (fd && write(fd.get(), &byte, 1) < 0)
    return;
}

unique_fd attempt_folder::open_wake() const {
  return unique_fd{open((at_ / "wake").c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)};
}

} // namespace troupe
