#include "settings/toml/read.hpp"
#include "train/training_runs.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace troupe;

TEST_CASE("the training for a profile has each architecture, and failures, in virtual time") {
  std::set<std::string> architectures;
  bool has_failures = false;
  for (const auto& run : training_runs) {
    CAPTURE(run.config);
    const std::vector<std::string> overrides{run.setting};
    const auto s = read_settings(std::filesystem::path{TROUPE_SOURCE_DIR} / run.config, overrides);
    CHECK(s.clock == clock_kind::virtual_time);
    architectures.insert(to_string(s.architecture));
    has_failures = has_failures || s.faults.any();
  }
  for (const auto name : choice_names<architecture_kind>::value) {
    CAPTURE(name);
    CHECK(architectures.contains(std::string{name}));
  }
  CHECK(has_failures);
}
