#include "experiments/expectations/read_experiment.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace troupe;

TEST_CASE("every shipped experiment can be read and says what it expects") {
  const auto folder = std::filesystem::path(TROUPE_SOURCE_DIR) / "configs" / "experiments";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CAPTURE(entry.path().string());
    REQUIRE(entry.is_directory());
    ++count;
    experiment e;
    CHECK_NOTHROW(e = read_experiment(entry.path() / "experiment.toml"));
    CHECK(e.name == entry.path().filename().string());
    CHECK_FALSE(e.about.empty());
    CHECK_FALSE(e.source.empty());
    CHECK_FALSE(e.expectations.empty());
  }
  CHECK(count >= 5);
}
