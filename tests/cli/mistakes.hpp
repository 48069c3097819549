#pragma once

#include "cli/process.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace troupe::test {

/// A command line that is refused, and a part of the message.
struct mistake {
  std::vector<std::string> arguments;
  std::string complaint;
};

/// Checks that each command line ends with exit code 2 and one line on standard error, and leaves
/// no file behind.
inline void check_refused(const scratch& here, const std::vector<mistake>& mistakes) {
  const auto before = here.entries();
  for (const auto& [arguments, complaint] : mistakes) {
    std::string line = "troupe";
    for (const auto& word : arguments)
      line += " '" + word + "'";
    CAPTURE(line);
    const auto result = here.run(arguments);
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(result.err.starts_with("troupe: "));
    CHECK(contains(result.err, complaint));
    CHECK(here.entries() == before);
  }
}

} // namespace troupe::test
