#include "jobs/spec/attempt_spec.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace troupe;

namespace {

attempt_spec sample() {
  attempt_spec spec;
  spec.which = {7, 3, 2};
  spec.argv = {"sh", "-c", "echo \"ü\"\n"};
  spec.env = {{"A", "1"}, {"EMPTY", ""}};
  spec.dir = "/tmp";
  spec.time_limit_ms = 1500;
  spec.grace_ms = 10'000;
  spec.lease_ms = 60'000;
  spec.output_limit_bytes = 1 << 20;
  spec.cpu = 0.5;
  spec.memory_bytes = std::int64_t{5} << 32;
  spec.gpu_milli = 1'500;
  spec.slots = 2;
  return spec;
}

} // namespace

TEST_CASE("the specification of an attempt survives JSON") {
  auto spec = sample();
  CHECK(read_attempt_spec(to_json(spec)) == spec);
  CHECK(to_json(spec).find('\n') == std::string::npos);
  spec = {};
  spec.argv = {"true"};
  CHECK(read_attempt_spec(to_json(spec)) == spec);
}

TEST_CASE("a command is told who it is") {
  auto spec = sample();
  add_task_names(spec, nullptr);
  CHECK(spec.env.at("TROUPE_JOB") == "7");
  CHECK(spec.env.at("TROUPE_TASK") == "3");
  CHECK(spec.env.at("TROUPE_ATTEMPT") == "2");
  CHECK(spec.env.at("TROUPE_TASK_ID") == "7.3");
  CHECK_FALSE(spec.env.contains("TROUPE_ENTRY"));
  const std::string entry = "a b";
  add_task_names(spec, &entry);
  CHECK(spec.env.at("TROUPE_ENTRY") == "a b");
}

TEST_CASE("a damaged specification is refused with its fault") {
  CHECK_THROWS_AS(read_attempt_spec("{"), std::invalid_argument);
  CHECK_THROWS_AS(read_attempt_spec("[]"), std::invalid_argument);
  auto json = to_json(sample());
  json.replace(json.find("\"grace_ms\""), 10, "\"grave_ms\"");
  try {
    read_attempt_spec(json);
    FAIL("it was read");
  } catch (const std::invalid_argument& e) {
    CHECK(std::string{e.what()}.find("grace_ms") != std::string::npos);
  }
  auto none = sample();
  none.argv.clear();
  CHECK_THROWS_AS(read_attempt_spec(to_json(none)), std::invalid_argument);
}
