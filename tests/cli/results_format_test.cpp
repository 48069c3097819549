#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "cli/summary.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace troupe::test;

namespace {

/// The results of a tiny run with records, in `r`.
struct results_of_a_run {
  scratch here;

  results_of_a_run() {
    here.write("tiny.toml", tiny_settings);
    REQUIRE(here.run({"run", "tiny.toml", "--out", "r", "--records", "tasks", "--quiet"}).code ==
            0);
  }

  /// Makes the summary that of another format, or of none.
  void set_format(const nlohmann::json& format) {
    auto summary = summary_in(here.path() / "r");
    summary["format"] = format;
    summary["host"]["version"] = "9.8.7";
    if (format.is_null())
      summary.erase("format");
    here.write("r/summary.json", summary.dump());
  }
};

const std::vector<std::vector<std::string>> readers{
  {"report", "r"},
  {"report", "r", "r"},
  {"run", "--verify", "r", "--quiet"},
  {"export", "r", "--as", "swf", "--out", "r.swf"},
  {"explain", "1", "--in", "r"},
  {"why-not", "1.0", "1", "--in", "r"},
};

} // namespace

TEST_CASE("results say which format they have") {
  const results_of_a_run made;
  CHECK(summary_in(made.here.path() / "r")["format"] == 1);
}

TEST_CASE("every command that reads results refuses those of another format, by name") {
  results_of_a_run made;
  for (const nlohmann::json& format : {nlohmann::json(2), nlohmann::json("x")}) {
    made.set_format(format);
    for (const auto& words : readers) {
      CAPTURE(words[0]);
      const auto read = made.here.run(words);
      CAPTURE(read.err);
      CHECK(read.code == 2);
      CHECK(contains(read.err, "r/summary.json: it has format " + format.dump() +
                                 ", by troupe 9.8.7; this troupe reads format 1"));
    }
  }
}

TEST_CASE("results from before there were formats are read") {
  results_of_a_run made;
  made.set_format(nullptr);
  for (const auto& words : readers) {
    CAPTURE(words[0]);
    const auto read = made.here.run(words);
    CAPTURE(read.err);
    CHECK_FALSE(contains(read.err, "format"));
    CHECK(read.code != 2);
  }
}

TEST_CASE("results of an experiment have a format, too") {
  const scratch here;
  std::filesystem::create_directory(here.path() / "e");
  here.write("e/result.json", R"({"format": 2, "version": "troupe 9.8.7", "expectations": []})");
  const auto read = here.run({"results", "e"});
  CHECK(read.code == 2);
  CHECK(contains(read.err, "e/result.json: it has format 2, by troupe 9.8.7; "));
}
