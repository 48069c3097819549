#include "nodes/agent/settings_shape.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace troupe;

namespace {

std::string printed(const std::string& toml) {
  return to_toml(parse_settings(toml, "test"));
}

const std::string small = R"(
schedulers = 4
[cluster]
machines = 40
partitions = 4
owners = 4
[[cluster.classes]]
name = "standard"
cpu = 24
memory = 96
[workload]
requests = [{ weight = 1, cpu = 1, memory = 1 }]
phases = [{ length = "3s", rate = 5 }]
)";

std::string with(const std::string& from, const std::string& to) {
  auto text = small;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return printed(text.replace(at, from.size(), to));
}

} // namespace

TEST_CASE("settings with the same members and machines have the same shape") {
  const auto here = printed(small);
  CHECK(shape_difference(here, here).empty());
  CHECK(shape_difference(here, with("rate = 5", "rate = 50")).empty());
  CHECK(shape_difference(here, with("\"3s\"", "\"9s\"")).empty());
}

TEST_CASE("keys that only one version of the program knows do not change the shape") {
  const auto here = printed(small);
  auto newer = here;
  newer.replace(newer.find("[cluster]\n"), 10, "[cluster]\nadded = 7\n");
  newer += "\n[another]\nkey = 1\n";
  CHECK(shape_difference(here, newer).empty());
  CHECK(shape_difference(newer, here).empty());
}

TEST_CASE("what changes the shape is named") {
  const auto here = printed(small);
  CHECK(shape_difference(here, with("schedulers = 4", "schedulers = 8")) ==
        "schedulers is 4 here and 8 there");
  CHECK(shape_difference(here, with("machines = 40\npartitions = 4\nowners = 4",
                                    "machines = 60\npartitions = 6\nowners = 6")) ==
        "cluster.machines is 40 here and 60 there, cluster.owners is 4 here and 6 there, "
        "cluster.partitions is 4 here and 6 there");
  CHECK(shape_difference(here, with("cpu = 24", "cpu = 32")) ==
        "cluster.classes.0.cpu is 24 here and 32 there");
  CHECK(shape_difference(
          here, with("[workload]", "[[cluster.classes]]\nname = \"more\"\ncpu = 1\n[workload]")) ==
        "cluster.classes is 1 element here and 2 elements there");
  CHECK(shape_difference(here, with("schedulers = 4", "schedulers = 4\narchitecture = \"sparrow\""))
          .starts_with("architecture is \"parsync\" here and \"sparrow\" there"));
  const std::string groups = "[[groups]]\nname = \"x\"\nschedulers = 1\n"
                             "[[groups]]\nname = \"y\"\nschedulers = ";
  CHECK(
    shape_difference(printed(small + groups + "3\n"), here).starts_with("groups is 2 elements"));
}
