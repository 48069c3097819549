#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <termios.h>
#include <vector>

namespace troupe {

/// The whole terminal for frames: its alternate screen, without a cursor and with keys one by one.
/// The destructor restores it; so does a stop by SIGTSTP until the process goes on.
class screen {
public:
  /// Standard input and output must be a terminal.
  screen();
  ~screen();
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }

  /// Shows a frame: one write, which overwrites the one before; none if both are equal. Lines must
  /// fit.
  void show(const std::vector<std::string>& lines);

  /// Waits for a key, a signal or the end of the time, whichever comes first. Returns the key; 0 if
  /// there was none, and after a change of the size; -1 at the end of the input.
  int wait_for_key(std::chrono::milliseconds time);

private:
  void enter();
  void leave();
  void measure();

  termios before_{};
  std::size_t width_ = 80;
  std::size_t height_ = 24;
  std::string shown_; ///< the frame; empty: not known
};

/// Returns whether the locale has characters beyond ASCII.
bool locale_is_utf8();

} // namespace troupe
