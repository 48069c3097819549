#include "top/screen.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

volatile std::sig_atomic_t size_changed = 0;
volatile std::sig_atomic_t stop_wanted = 0;

void note_size(int) {
  size_changed = 1;
}

void note_stop(int) {
  stop_wanted = 1;
}

void handle(int signal, void (*by)(int)) {
  struct sigaction action {};
  action.sa_handler = by;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr); // without SA_RESTART: they end a wait
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR)
      return;
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
  }
}

} // namespace

screen::screen() {
  tcgetattr(STDIN_FILENO, &before_);
  handle(SIGWINCH, note_size);
  handle(SIGTSTP, note_stop);
  enter();
}

screen::~screen() {
  leave();
  handle(SIGWINCH, SIG_DFL);
  handle(SIGTSTP, SIG_DFL);
}

void screen::enter() {
  auto raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  write_all("\x1b[?1049h\x1b[?25l\x1b[2J");
  measure();
}

void screen::leave() {
  write_all("\x1b[?25h\x1b[?1049l");
  tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void screen::measure() {
  shown_.clear();
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return;
  width_ = size.ws_col;
  height_ = size.ws_row;
}

void screen::show(const std::vector<std::string>& lines) {
  std::string frame = "\x1b[?2026h\x1b[H";
  for (std::size_t i = 0; i < lines.size() && i < height_; ++i)
    frame += (i == 0 ? "" : "\r\n") + lines[i] + "\x1b[K";
  frame += "\x1b[J\x1b[?2026l";
  if (frame == shown_)
    return;
  write_all(frame);
  shown_ = std::move(frame);
}

int screen::wait_for_key(std::chrono::milliseconds time) {
  pollfd keys{STDIN_FILENO, POLLIN, 0};
  const auto ready = poll(&keys, 1, static_cast<int>(time.count()));
  if (stop_wanted != 0) {
    stop_wanted = 0;
    leave();
    raise(SIGSTOP); // goes on here after SIGCONT; SIGTSTP stops no orphaned process
    enter();
    return 0;
  }
  if (size_changed != 0) {
    size_changed = 0;
    measure();
    return 0;
  }
  if (ready <= 0)
    return 0;
  unsigned char key = 0;
  const auto n = ::read(STDIN_FILENO, &key, 1);
  return n == 1 ? key : n == 0 && (keys.revents & POLLHUP) != 0 ? -1 : 0;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto* value = std::getenv(name);
    if (value == nullptr || *value == '\0')
      continue;
    return strcasestr(value, "UTF-8") != nullptr || strcasestr(value, "UTF8") != nullptr;
  }
  return false;
}

} // namespace troupe
