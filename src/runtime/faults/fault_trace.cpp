#include "runtime/faults/fault_trace.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace troupe {

namespace {

[[noreturn]] void refuse_fault_row(const std::string& path, std::size_t line,
                                   const std::string& text) {
  throw std::runtime_error(
    path + ":" + std::to_string(line) + ": '" + text +
    "' is not a failure; expected a time in s, kill, freeze or drain, a member, "
    "and a duration in s, as in 12.5 kill machine.3 60");
}

} // namespace

std::vector<fault_row> read_fault_trace(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw std::runtime_error(path + ": this is a directory; expected a file (faults.trace)");
  std::ifstream file{path};
  if (!file)
    throw std::runtime_error("cannot read the failures in '" + path + "' (faults.trace)");
  std::vector<fault_row> rows;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    const auto row = text.substr(0, text.find('#'));
    if (row.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    std::istringstream fields{row};
    fault_row r;
    r.line = line;
    std::string name;
    std::string rest;
    // A comparison with NaN is false, and the row is refused.
    const bool read = fields >> r.from >> name >> r.target >> r.length && !(fields >> rest) &&
                      r.from >= 0 && r.length >= 0 && r.from < 1e9 && r.length < 1e9;
    const auto kind = choice_named<fault_kind>(name);
    if (!read || !kind || of_network(*kind))
      refuse_fault_row(path, line, text);
    r.kind = *kind;
    rows.push_back(std::move(r));
  }
  if (file.bad())
    throw std::runtime_error(path + ": the file cannot be read to its end (faults.trace)");
  return rows;
}

} // namespace troupe
