#include "process/supervisor/supervisor.hpp"

#include "process/base/host_clock.hpp"
#include "process/base/planted_command_fault.hpp"
#include "process/command/command_start.hpp"
#include "process/command/process_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
/// How often the supervisor looks even if nothing wakes it.
constexpr std::int64_t longest_sleep = 1'000 * millisecond;
/// Between two looks at the memory and the output of a command with limits.
constexpr std::int64_t between_sizes = 200 * millisecond;
/// Between two attempts to start a command that the host could not start.
constexpr std::int64_t between_starts = 200 * millisecond;
/// Between two attempts to kill the remaining processes.
constexpr std::int64_t between_kills = 20 * millisecond;

/// Of children that have ended, and of the node.
unique_fd take_signals() {
  sigset_t taken;
  sigemptyset(&taken);
  sigaddset(&taken, SIGCHLD);
  sigaddset(&taken, attempt_page::wake_signal());
  sigprocmask(SIG_BLOCK, &taken, nullptr);
  return unique_fd{signalfd(-1, &taken, SFD_NONBLOCK | SFD_CLOEXEC)};
}

void read_all(int fd) {
  char bytes[1024];
  while (read(fd, bytes, sizeof bytes) > 0) {
  }
}

std::int64_t micros(const timeval& t) {
  return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_usec;
}

} // namespace

supervisor::supervisor(attempt_folder folder, std::function<void(note)> tell, int tied_to)
  : folder_(std::move(folder)), tell_(std::move(tell)), tied_to_(tied_to), page_(folder_.page()) {}

void supervisor::run() {
  signals_ = take_signals();
  if (!page_.hold())
    throw std::runtime_error(folder_.path().string() + " has a supervisor already");
  if (page_.at() == attempt_page::phase::ended)
    return;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "troupe-task");
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  if (start_patiently()) {
    tell_(note::started);
    while (!none_left_) {
      wait_for_something();
      reap();
      look();
    }
  }
  finish();
  tell_(note::ended);
}

/// Returns whether the command runs. If the host cannot start it, tries again for a while.
bool supervisor::start_patiently() {
  const auto began = boot_clock_ns();
  while (!start()) {
    if (end_.reason != end_reason::host_failed ||
        boot_clock_ns() >= began + spec_.start_patience_ms * millisecond)
      return false;
    pollfd on[] = {{signals_.get(), POLLIN, 0}, {tied_to_, POLLIN, 0}};
    poll(on, 2, static_cast<int>(between_starts / millisecond));
    if (on[1].revents != 0)
      page_.set_deadline(0);
    read_all(signals_.get());
    none_left_ = false;
  }
  end_.reason = end_reason::none;
  end_.detail.clear();
  return true;
}

/// Returns whether the command runs.
bool supervisor::start() {
  const auto fails = [this](end_reason reason, std::string detail) {
    end_.reason = reason;
    end_.detail = std::move(detail);
    reap();
    return false;
  };
  try {
    spec_ = parse_command_spec(page_.spec());
  } catch (const std::exception& e) {
    return fails(end_reason::exec_failed, e.what());
  }
  if (boot_clock_ns() >= page_.deadline())
    return fails(end_reason::lease, {});
  if (const auto wish = page_.stop_asked())
    return fails(wish->reason, {});
  try {
    open_outputs();
    if (!spec_.control_group.empty())
      group_.emplace(spec_.control_group, control_group::limits{spec_.memory_bytes, spec_.cpu});
  } catch (const std::exception& e) {
    return fails(end_reason::host_failed, e.what());
  }
  const auto started = start_command(spec_, {out_->fd(), err_->fd(), folder_.work().string()});
  if (!started.error.empty())
    return fails(started.host_failed ? end_reason::host_failed : end_reason::exec_failed,
                 started.error);
  command_ = started.pid;
  if (planted(command_fault::doubled_start))
    start_command(spec_, {out_->fd(), err_->fd(), folder_.work().string()});
  end_.started_ns = host_utc_ns();
  if (spec_.time_limit_ms > 0)
    time_limit_at_ = boot_clock_ns() + spec_.time_limit_ms * millisecond;
  page_.begins(command_, end_.started_ns);
  return true;
}

void supervisor::open_outputs() {
  for (auto& [to, file] : {std::pair{&out_, folder_.out()}, {&err_, folder_.err()}}) {
    to->emplace(file, spec_.output_limit_bytes);
    if (spec_.user.is_set())
      (*to)->give_to(spec_.user);
  }
}

std::int64_t supervisor::next_look(std::int64_t now) const {
  auto at = now + longest_sleep;
  if (killing_ || over_)
    return now + between_kills;
  // Once the command was asked to end, its time limit changes nothing, and may be over.
  at = std::min(at, asked_ ? kill_at_ : time_limit_at_);
  if (spec_.memory_bytes > 0 || spec_.output_limit_bytes > 0)
    at = std::min(at, now + between_sizes);
  return std::min(at, page_.deadline());
}

void supervisor::wait_for_something() {
  const auto now = boot_clock_ns();
  const auto sleep = std::max<std::int64_t>(next_look(now) - now, 0);
  pollfd on[] = {{signals_.get(), POLLIN, 0}, {tied_to_, POLLIN, 0}};
  poll(on, 2, static_cast<int>((sleep + millisecond - 1) / millisecond));
  if (on[1].revents != 0) {
    page_.set_deadline(0);
    tied_to_ = -1;
  }
  read_all(signals_.get());
}

void supervisor::note_usage(const rusage& used) {
  end_.user_us += micros(used.ru_utime);
  end_.system_us += micros(used.ru_stime);
  end_.max_rss_bytes = std::max<std::int64_t>(end_.max_rss_bytes, used.ru_maxrss * 1024);
}

/// Takes the ends of all children: of the command, and of processes that have lost their parents.
void supervisor::reap() {
  int status = 0;
  rusage used{};
  for (;;) {
    const auto pid = wait4(-1, &status, WNOHANG, &used);
    if (pid < 0 && errno == EINTR)
      continue;
    if (pid <= 0) {
      none_left_ = pid < 0;
      return;
    }
    note_usage(used);
    if (pid != command_)
      continue;
    over_ = true;
    end_.ended_ns = host_utc_ns();
    if (WIFEXITED(status)) {
      end_.exit_code = WEXITSTATUS(status);
    } else {
      end_.signal = WTERMSIG(status);
      end_.core = WCOREDUMP(status);
    }
  }
}

void supervisor::look() {
  if (none_left_)
    return;
  const auto now = boot_clock_ns();
  if (over_) {
    if (!killing_)
      end_.strays = static_cast<std::uint32_t>(descendants_of(getpid()).size());
    return kill_all();
  }
  if (now >= page_.deadline() && !planted(command_fault::outlived_lease)) {
    ask_to_end(end_reason::lease, 0, now);
  } else if (const auto wish = page_.stop_asked()) {
    ask_to_end(wish->reason, wish->grace_ms, now);
  } else if (now >= time_limit_at_) {
    ask_to_end(end_reason::time_limit, spec_.grace_ms, now);
  }
  look_at_sizes(now);
  if (killing_ || (asked_ && now >= kill_at_))
    kill_all();
}

void supervisor::look_at_sizes(std::int64_t now) {
  if (now < sizes_at_)
    return;
  sizes_at_ = now + between_sizes;
  if (!out_->trim() || !err_->trim())
    ask_to_end(end_reason::output_limit, spec_.grace_ms, now);
  // Without a control group nobody else looks.
  if (spec_.memory_bytes > 0 && (!group_ || !group_->limits_memory()) &&
      memory_of_descendants() > spec_.memory_bytes) {
    ask_to_end(end_reason::memory_limit, 0, now);
    end_.oom = true;
  }
}

/// A later reason may only shorten the time that is left: the lease does not wait.
void supervisor::ask_to_end(end_reason reason, std::int64_t grace_ms, std::int64_t now) {
  const auto kill_at = now + grace_ms * millisecond;
  if (asked_) {
    kill_at_ = std::min(kill_at_, kill_at);
    return;
  }
  asked_ = true;
  kill_at_ = kill_at;
  end_.reason = reason;
  if (grace_ms > 0)
    signal_descendants(SIGTERM);
}

void supervisor::kill_all() {
  killing_ = true;
  if (!group_ || !group_->kill())
    kill_descendants();
  reap();
}

void supervisor::finish() {
  if (end_.ended_ns == 0)
    end_.ended_ns = host_utc_ns();
  if (group_) {
    // The kernel's kill is what ended it only if it died of it.
    if (group_->oom_kills() > 0) {
      end_.oom = true;
      if (end_.reason == end_reason::none && end_.signal == SIGKILL)
        end_.reason = end_reason::memory_limit;
    }
    group_->remove();
  }
  if (out_)
    end_.out_bytes = out_->size();
  if (err_)
    end_.err_bytes = err_->size();
  if (out_ && err_ && (!out_->trim() || !err_->trim()) && end_.reason == end_reason::none)
    end_.reason = end_reason::output_limit;
  page_.ends(end_);
}

} // namespace troupe
