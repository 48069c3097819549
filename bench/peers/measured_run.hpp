#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace troupe::peers {

/// What a run has cost and done.
struct measured_run {
  double cpu = 0;    ///< s, of user and system
  double memory = 0; ///< MiB at most
  std::uint64_t tasks = 0;
  double delay = 0; ///< mean of the tasks placed, in s
  std::uint64_t conflicts = 0;
  double quality = 0; ///< mean score; 0 if there are none

  double tasks_per_second() const { return static_cast<double>(tasks) / cpu; }
};

/// Runs Troupe, the program `troupe`, on a configuration with overrides, "key=value" each, and
/// reads its summary. Files go to `scratch`, which must exist. Throws `std::runtime_error` if the
/// run fails.
measured_run run_troupe(const std::filesystem::path& scratch, const std::string& troupe,
                        const std::string& config, const std::vector<std::string>& overrides);

/// Runs a peer, a program and its arguments, and reads the figures that it prints.
measured_run run_peer(const std::filesystem::path& scratch, const std::vector<std::string>& words);

} // namespace troupe::peers
