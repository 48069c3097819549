#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// Compares the running tasks as schedulers and machines, each asked separately, report them.
///
/// Both sides need not agree at every moment. A machine may not have received a launch yet, or a
/// scheduler an end. For each such task a message is still due.
struct running_books {
  std::uint64_t believed = 0;   ///< tasks that schedulers believe to run
  std::uint64_t agreed = 0;     ///< of these: run by their machines
  std::uint64_t ended = 0;      ///< of these: ended, and the machine has still to report it
  std::uint64_t on_the_way = 0; ///< of these: the launch, the end or the loss is in transit
  /// Of these: their machines, or those between, are dead, frozen or unknown.
  std::uint64_t silent = 0;
  std::uint64_t unheard = 0; ///< tasks run by machines that schedulers do not know of yet
  std::string wrong{};       ///< the first contradiction; empty if there is none
};

/// Renders the counts in one line.
inline std::string to_string(const running_books& b) {
  auto text = "machines run " + std::to_string(b.agreed) + " of " + std::to_string(b.believed) +
              " that their schedulers believe to run";
  const auto add = [&text](std::uint64_t n, const char* what) {
    if (n > 0)
      text += ", " + std::to_string(n) + what;
  };
  add(b.ended, " have ended and are not reported yet");
  add(b.on_the_way, " are in transit");
  add(b.silent, " are on machines that do not answer");
  add(b.unheard, " others run that schedulers do not know of yet");
  return b.wrong.empty() ? text : text + ", " + b.wrong;
}

} // namespace troupe
