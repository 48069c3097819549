#pragma once

#include "cli/process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/wait.h>

namespace troupe::test {

/// Runs `script` in bash in the directory of `here`. `$TROUPE` is the program.
inline outcome in_bash(const scratch& here, const std::string& script) {
  const auto place = here.path().string();
  here.write(".script", "TROUPE='" TROUPE_PROGRAM "'\n" + script);
  const auto status =
    std::system(("cd '" + place + "' && bash .script > .out 2> .err < /dev/null").c_str());
  outcome result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.out = read_file(here.path() / ".out");
  result.err = read_file(here.path() / ".err");
  for (const char* name : {".script", ".out", ".err"})
    std::filesystem::remove(here.path() / name);
  return result;
}

inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null").c_str()) == 0;
}

/// Says that a test is skipped because a program is missing.
inline void skip(const std::string& program) {
  MESSAGE("skipped: " << program << " is not installed");
}

/// The columns of the longest line, a code point of UTF-8 being one.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::size_t columns = 0;
  for (const char c : text) {
    columns = c == '\n' ? 0 : columns + ((static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0);
    widest = std::max(widest, columns);
  }
  return widest;
}

} // namespace troupe::test
