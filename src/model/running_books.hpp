#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// What schedulers and machines, each asked for itself, say of the tasks that run.
///
/// Two of them need not agree at every moment. A machine has still to be told of what was granted,
/// or a scheduler of what has ended. Each such task is one that somebody has still to tell of.
struct running_books {
  std::uint64_t believed = 0;   ///< schedulers believe that so many run
  std::uint64_t agreed = 0;     ///< of these: their machines run them
  std::uint64_t ended = 0;      ///< of these: their machines have still to tell the end
  std::uint64_t on_the_way = 0; ///< of these: the launch, the end or the loss is being told
  std::uint64_t silent =
    0; ///< of these: their machines, or those between, are dead, frozen or unknown
  std::uint64_t unheard = 0; ///< machines run so many besides that schedulers do not know of yet
  std::string wrong{};       ///< what nothing explains first; empty if all is explained
};

/// Renders them in one line.
inline std::string to_string(const running_books& b) {
  auto text = "machines run " + std::to_string(b.agreed) + " of " + std::to_string(b.believed) +
              " that their schedulers believe to run";
  const auto add = [&text](std::uint64_t n, const char* what) {
    if (n > 0)
      text += ", " + std::to_string(n) + what;
  };
  add(b.ended, " have ended and are to be told");
  add(b.on_the_way, " are under way");
  add(b.silent, " are on machines that do not answer");
  add(b.unheard, " others run that schedulers have not heard of");
  return b.wrong.empty() ? text : text + ", " + b.wrong;
}

} // namespace troupe
