#include "policies/plugin_call.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <execinfo.h>
#include <mutex>
#include <string>
#include <unistd.h>

namespace troupe {

namespace {

constinit thread_local plugin_call* innermost = nullptr;

struct named_library {
  std::string path;
  std::string label;
};

/// State that is never destroyed, as it is needed while the program ends.
std::deque<named_library>& named_libraries() {
  static auto* all = new std::deque<named_library>;
  return *all;
}

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::array<struct sigaction, fatal_signals.size()> formerly;

/// A line in memory of its own: a signal handler must not allocate.
class line {
public:
  line& operator<<(std::string_view text) {
    const auto n = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), n);
    size_ += n;
    return *this;
  }

  void write() {
    *this << "\n";
    const auto written = ::write(STDERR_FILENO, text_.data(), size_);
    static_cast<void>(written);
  }

private:
  std::array<char, 1024> text_{};
  std::size_t size_ = 0;
};

/// Returns the library of a plugin whose code is on the stack, or null.
const named_library* library_on_stack() {
  std::array<void*, 64> frames{};
  const int n = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < n; ++i) {
    Dl_info where{};
    if (dladdr(frames[static_cast<std::size_t>(i)], &where) == 0 || where.dli_fname == nullptr)
      continue;
    for (const auto& l : named_libraries())
      if (l.path == where.dli_fname)
        return &l;
  }
  return nullptr;
}

std::string_view name_of(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV, a segmentation fault";
  case SIGBUS:
    return "SIGBUS, a bus error";
  case SIGFPE:
    return "SIGFPE, an arithmetic error";
  case SIGILL:
    return "SIGILL, an illegal instruction";
  default:
    return "SIGABRT, an abort";
  }
}

} // namespace

/// Tells who is to blame.
class plugin_witness {
public:
  /// Writes who did what, if a plugin did. Returns whether it did.
  static bool tell(std::string_view what, std::string_view of) {
    line out;
    out << "troupe: ";
    if (innermost != nullptr) {
      out << innermost->label_ << ": " << innermost->call_ << "()";
    } else if (const auto* library = library_on_stack()) {
      out << library->label << ": its code";
    } else {
      return false;
    }
    (out << what << of).write();
    return true;
  }
};

namespace {

extern "C" void tell_of_signal(int signal) {
  plugin_witness::tell(" ended the program with ", name_of(signal));
  const auto i = std::ranges::find(fatal_signals, signal) - fatal_signals.begin();
  sigaction(signal, &formerly[static_cast<std::size_t>(i)], nullptr);
  raise(signal); // delivered to whom it went before, when this returns
}

/// How many threads may call exit() at the same time. The C library runs each handler in one of
/// them only, and ends the program in the thread that finds none left.
constexpr int exiting_threads = 64;

constinit std::mutex telling;

extern "C" void tell_of_exit(int status, void*) {
  const std::scoped_lock lock{telling}; // never released if a plugin is to blame
  char text[16];
  auto* at = text + sizeof text;
  for (auto n = static_cast<unsigned>(status) & 0xff; n > 0 || at == text + sizeof text; n /= 10)
    *--at = static_cast<char>('0' + n % 10);
  const std::string_view number{at, static_cast<std::size_t>(text + sizeof text - at)};
  if (plugin_witness::tell(" ended the program: it called exit() with ", number))
    _exit(EXIT_FAILURE);
}

} // namespace

plugin_call::plugin_call(std::string_view label, std::string_view call)
  : outer_(innermost), label_(label), call_(call) {
  innermost = this;
}

plugin_call::~plugin_call() {
  innermost = outer_;
}

void watch_for_plugin_ends() {
  static const bool watching = [] {
    named_libraries();
    std::array<void*, 1> frame{};
    backtrace(frame.data(), 1); // loads what it needs, which a signal handler must not
    for (int i = 0; i < exiting_threads; ++i)
      on_exit(tell_of_exit, nullptr);
    struct sigaction action {};
    action.sa_handler = tell_of_signal;
    for (std::size_t i = 0; i < fatal_signals.size(); ++i)
      sigaction(fatal_signals[i], &action, &formerly[i]);
    return true;
  }();
  static_cast<void>(watching);
}

void name_plugin_library(std::string_view path, std::string_view label) {
  named_libraries().push_back({std::string(path), std::string(label)});
}

} // namespace troupe
