#include "process/attempt/attempt_page.hpp"

#include "process/base/host_clock.hpp"
#include "process/command/process_tree.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

/// The layout of the page. A program of another version refuses it by its magic.
struct attempt_memory {
  char magic[8];
  char boot[40];
  std::atomic<std::int64_t> deadline;
  std::atomic<std::int64_t> stop_grace_ms;
  std::atomic<std::uint32_t> stop_claimed; ///< somebody writes the wish
  std::atomic<std::uint32_t> stop_reason;  ///< and has written it; 0: none
  std::atomic<std::uint32_t> phase;
  std::atomic<std::int32_t> supervisor; ///< its process; 0: it has not begun
  std::atomic<std::int32_t> command;
  // Written before the phase is.
  std::int64_t started_ns;
  std::int64_t ended_ns;
  std::int64_t user_us;
  std::int64_t system_us;
  std::int64_t max_rss_bytes;
  std::uint64_t out_bytes;
  std::uint64_t err_bytes;
  std::uint32_t reason;
  std::int32_t exit_code;
  std::int32_t signal;
  std::uint32_t strays;
  std::uint8_t core;
  std::uint8_t oom;
  char detail[500];
  /// When the process of the command was started (`process_entry`); 0 in pages of earlier versions.
  std::uint64_t command_started;
};

namespace {

constexpr char magic[8] = {'T', 'R', 'O', 'U', 'P', 'E', 'A', '2'};
constexpr std::size_t page_size = 4096;

static_assert(sizeof(attempt_memory) <= page_size);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

const std::string& this_boot() {
  static const auto id = boot_id();
  return id;
}

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw std::system_error(errno, std::generic_category(), what + (' ' + file.string()));
}

attempt_memory* map(int fd, const std::filesystem::path& file) {
  void* at = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED)
    fail(file, "cannot map");
  return static_cast<attempt_memory*>(at);
}

/// Behind the page.
void write_spec(int fd, const std::filesystem::path& file, const std::string& spec) {
  for (std::size_t at = 0; at < spec.size();) {
    const auto n =
      pwrite(fd, spec.data() + at, spec.size() - at, static_cast<off_t>(page_size + at));
    if (n < 0)
      fail(file, "cannot write");
    at += static_cast<std::size_t>(n);
  }
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// Returns whether another one has locked the file.
bool has_lock(int fd) {
  auto lock = whole_file(F_WRLCK);
  return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace

attempt_page attempt_page::create(const std::filesystem::path& file, const std::string& spec) {
  unique_fd fd{::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (!fd)
    fail(file, "cannot create");
  // A full disk is told now, and not by SIGBUS later.
  if (const int failed = posix_fallocate(fd.get(), 0, page_size); failed != 0) {
    errno = failed;
    fail(file, "cannot create");
  }
  write_spec(fd.get(), file, spec);
  auto* memory = map(fd.get(), file);
  this_boot().copy(memory->boot, sizeof memory->boot - 1);
  std::memcpy(memory->magic, magic, sizeof magic);
  return {std::move(fd), memory};
}

attempt_page attempt_page::open(const std::filesystem::path& file) {
  unique_fd fd{::open(file.c_str(), O_RDWR | O_CLOEXEC)};
  if (!fd)
    fail(file, "cannot open");
  struct stat of {};
  if (fstat(fd.get(), &of) != 0 || of.st_size < static_cast<off_t>(page_size))
    throw std::runtime_error(file.string() + " is not the page of an attempt");
  attempt_page page{std::move(fd), nullptr};
  page.memory_ = map(page.fd_.get(), file);
  if (std::memcmp(page.memory_->magic, magic, sizeof magic) != 0)
    throw unknown_page(file.string() + " is not the page of an attempt of this version");
  return page;
}

attempt_page::attempt_page(attempt_page&& other) noexcept
  : fd_(std::move(other.fd_)), memory_(std::exchange(other.memory_, nullptr)) {}

attempt_page& attempt_page::operator=(attempt_page&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(memory_, other.memory_);
  return *this;
}

attempt_page::~attempt_page() {
  if (memory_ != nullptr)
    munmap(memory_, page_size);
}

void attempt_page::set_deadline(std::int64_t boot_ns) {
  memory_->deadline.store(boot_ns);
}

void attempt_page::stop(const stop_wish& wish) {
  if (wish.reason == end_reason::none)
    return;
  if (memory_->stop_claimed.exchange(1) != 0) {
    auto grace = memory_->stop_grace_ms.load();
    while (wish.grace_ms < grace &&
           !memory_->stop_grace_ms.compare_exchange_weak(grace, wish.grace_ms)) {
    }
    return;
  }
  memory_->stop_grace_ms.store(wish.grace_ms);
  memory_->stop_reason.store(static_cast<std::uint32_t>(wish.reason));
}

int attempt_page::wake_signal() {
  return SIGUSR1;
}

void attempt_page::wake() const {
  const auto supervisor = memory_->supervisor.load();
  if (supervisor <= 0)
    return; // it looks at the page when it begins
  const unique_fd process{static_cast<int>(syscall(SYS_pidfd_open, supervisor, 0))};
  // If it still holds the page, that process is the supervisor, and not a later one of its number.
  if (process && is_held())
    syscall(SYS_pidfd_send_signal, process.get(), wake_signal(), nullptr, 0);
}

bool attempt_page::is_held() const {
  return has_lock(fd_.get());
}

bool attempt_page::is_held(const std::filesystem::path& file) {
  const unique_fd fd{::open(file.c_str(), O_RDWR | O_CLOEXEC)};
  return fd && has_lock(fd.get());
}

bool attempt_page::was_held() const {
  return memory_->supervisor.load() != 0;
}

bool attempt_page::hold() {
  auto lock = whole_file(F_WRLCK);
  if (fcntl(fd_.get(), F_OFD_SETLK, &lock) != 0)
    return false;
  memory_->supervisor.store(getpid());
  return true;
}

std::string attempt_page::spec() const {
  struct stat of {};
  if (fstat(fd_.get(), &of) != 0)
    fail("the page of an attempt", "cannot read");
  std::string text(static_cast<std::size_t>(of.st_size) - page_size, '\0');
  for (std::size_t at = 0; at < text.size();) {
    const auto n =
      pread(fd_.get(), text.data() + at, text.size() - at, static_cast<off_t>(page_size + at));
    if (n <= 0)
      fail("the page of an attempt", "cannot read");
    at += static_cast<std::size_t>(n);
  }
  return text;
}

std::int64_t attempt_page::deadline() const {
  return memory_->deadline.load();
}

std::optional<attempt_page::stop_wish> attempt_page::stop_asked() const {
  const auto reason = memory_->stop_reason.load();
  if (reason == 0 || reason > static_cast<std::uint32_t>(end_reason::reboot))
    return std::nullopt;
  return stop_wish{static_cast<end_reason>(reason), memory_->stop_grace_ms.load()};
}

void attempt_page::begins(pid_t command, std::int64_t utc_ns) {
  memory_->started_ns = utc_ns;
  if (const auto process = look_at_process(command))
    memory_->command_started = process->started;
  memory_->command.store(command);
  memory_->phase.store(static_cast<std::uint32_t>(phase::running));
}

void attempt_page::ends(const command_end& how) {
  auto& m = *memory_;
  m.reason = static_cast<std::uint32_t>(how.reason);
  m.exit_code = how.exit_code;
  m.signal = how.signal;
  m.core = how.core ? 1 : 0;
  m.oom = how.oom ? 1 : 0;
  m.started_ns = how.started_ns;
  m.ended_ns = how.ended_ns;
  m.user_us = how.user_us;
  m.system_us = how.system_us;
  m.max_rss_bytes = how.max_rss_bytes;
  m.out_bytes = how.out_bytes;
  m.err_bytes = how.err_bytes;
  m.strays = how.strays;
  m.detail[how.detail.copy(m.detail, sizeof m.detail - 1)] = '\0';
  m.phase.store(static_cast<std::uint32_t>(phase::ended));
}

bool attempt_page::is_of_this_boot() const {
  return !this_boot().empty() &&
         std::strncmp(memory_->boot, this_boot().c_str(), sizeof memory_->boot) == 0;
}

attempt_page::phase attempt_page::at() const {
  return static_cast<phase>(std::min(memory_->phase.load(), 2U));
}

pid_t attempt_page::command() const {
  return memory_->command.load();
}

std::uint64_t attempt_page::command_started() const {
  return at() == phase::prepared ? 0 : memory_->command_started;
}

std::optional<command_end> attempt_page::end() const {
  if (at() != phase::ended)
    return std::nullopt;
  const auto& m = *memory_;
  command_end how;
  how.reason = static_cast<end_reason>(
    std::min<std::uint32_t>(m.reason, static_cast<std::uint32_t>(end_reason::host_failed)));
  how.exit_code = m.exit_code;
  how.signal = m.signal;
  how.core = m.core != 0;
  how.oom = m.oom != 0;
  how.started_ns = m.started_ns;
  how.ended_ns = m.ended_ns;
  how.user_us = m.user_us;
  how.system_us = m.system_us;
  how.max_rss_bytes = m.max_rss_bytes;
  how.out_bytes = m.out_bytes;
  how.err_bytes = m.err_bytes;
  how.strays = m.strays;
  how.detail.assign(m.detail, strnlen(m.detail, sizeof m.detail));
  return how;
}

} // namespace troupe
