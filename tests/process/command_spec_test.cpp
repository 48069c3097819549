#include "process/command/command_spec.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;

TEST_CASE("the specification of a command survives its way through a file") {
  command_spec spec;
  spec.argv = {"/bin/echo", "", "two words", "\xc3\xa4"};
  spec.env = {{"PATH", "/bin"}, {"EMPTY", ""}};
  spec.dir = "/tmp";
  spec.time_limit_ms = 1'500;
  spec.grace_ms = 0;
  spec.output_limit_bytes = 1 << 20;
  spec.memory_bytes = std::int64_t{1} << 40;
  spec.cpu = 0.25;
  spec.gpu_milli = 500;
  spec.slots = 2;
  spec.control_group = "/sys/fs/cgroup/x";
  spec.lease_ms = 60'000;
  spec.start_patience_ms = 10'000;
  spec.user = {"nobody", 65534, 65534, {65534, 7}};
  const auto read = parse_command_spec(to_json(spec));
  CHECK(read.argv == spec.argv);
  CHECK(read.env == spec.env);
  CHECK(read.dir == spec.dir);
  CHECK(read.time_limit_ms == spec.time_limit_ms);
  CHECK(read.grace_ms == spec.grace_ms);
  CHECK(read.output_limit_bytes == spec.output_limit_bytes);
  CHECK(read.memory_bytes == spec.memory_bytes);
  CHECK(read.cpu == spec.cpu);
  CHECK(read.gpu_milli == 500);
  CHECK(read.slots == 2);
  CHECK(read.control_group == spec.control_group);
  CHECK(read.lease_ms == 60'000);
  CHECK(read.start_patience_ms == 10'000);
  CHECK(read.user.name == "nobody");
  CHECK(read.user.uid == 65534);
  CHECK(read.user.groups == spec.user.groups);

  spec.user = {};
  CHECK_FALSE(parse_command_spec(to_json(spec)).user.is_set());
}

TEST_CASE("a command that an earlier version has started is read") {
  command_spec spec;
  spec.argv = {"true"};
  spec.slots = 7;
  auto text = to_json(spec);
  for (const std::string part : {",\"gpu_milli\":0", ",\"slots\":7"}) {
    const auto at = text.find(part.substr(1));
    REQUIRE(at != std::string::npos);
    text.erase(at - 1, part.size());
  }
  CHECK(parse_command_spec(text).slots == 0);
}

TEST_CASE("texts that specify no command are refused") {
  CHECK_THROWS_AS(parse_command_spec(""), std::runtime_error);
  CHECK_THROWS_AS(parse_command_spec("{}"), std::runtime_error);
  command_spec nothing;
  CHECK_THROWS_WITH_AS(parse_command_spec(to_json(nothing)), "a command without a program",
                       std::runtime_error);
}
