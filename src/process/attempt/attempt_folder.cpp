#include "process/attempt/attempt_folder.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), "cannot make " + file.string());
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
  auto page = attempt_page::create(state(), to_json(spec));
  page.set_deadline(deadline);
  return page;
}

} // namespace troupe
