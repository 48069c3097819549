#include "nodes/execution/work_place.hpp"
#include "process/command/output_file.hpp"

#include <fstream>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("names of attempts are read strictly") {
  CHECK(parse_attempt_key("12.3.4") == attempt_key{12, 3, 4});
  for (const auto* bad : {"", "1", "1.2", "1.2.", "1.2.3.4", "a.2.3", "1.2.x", "1..3", "-1.2.3",
                          "1.2.3 ", "1.4294967296.1"})
    CHECK_FALSE(parse_attempt_key(bad));
}

TEST_CASE("the directory of attempts keeps its identity, and refuses to be shared") {
  const work_place here;
  const auto id = here.folders().id();
  CHECK_FALSE(id.empty());
  CHECK(here.folders().id() == id);
  const work_place other;
  CHECK(other.folders().id() != id);
  std::filesystem::permissions(here.path() / "tasks", std::filesystem::perms::all);
  CHECK_THROWS_AS(here.folders(), std::runtime_error);
  std::filesystem::permissions(here.path() / "tasks", std::filesystem::perms::owner_all);
}

TEST_CASE("attempts whose ends were seen are no longer open, and are removed later") {
  const work_place here;
  const auto folders = here.folders();
  command_spec spec;
  spec.argv = {"true"};
  const attempt_key a{1, 0, 1};
  const attempt_key b{1, 0, 2};
  folders.of(b).create(spec, 0);
  folders.of(a).create(spec, 0);
  CHECK(folders.open_ones() == std::vector{a, b});
  folders.mark_seen(a);
  CHECK(folders.open_ones() == std::vector{b});
  folders.remove_older_than(std::chrono::hours{1});
  CHECK(std::filesystem::exists(folders.of(a).path()));
  folders.remove_older_than(std::chrono::seconds{-1});
  CHECK_FALSE(std::filesystem::exists(folders.of(a).path()));
  CHECK(std::filesystem::exists(folders.of(b).path()));
}

TEST_CASE("output is read in parts, from where it still is") {
  const work_place here;
  const auto folders = here.folders();
  const attempt_key a{1, 0, 1};
  CHECK_FALSE(folders.read(a, false, 0, 10));
  command_spec spec;
  spec.argv = {"true"};
  folders.of(a).create(spec, 0);
  REQUIRE(folders.read(a, false, 0, 10));
  CHECK(folders.read(a, false, 0, 10)->bytes.empty());
  std::ofstream{folders.of(a).out()} << "0123456789";
  std::ofstream{folders.of(a).err()} << "oh";
  const auto part = folders.read(a, false, 4, 3);
  CHECK(part->bytes == "456");
  CHECK(part->offset == 4);
  CHECK(part->size == 10);
  CHECK(folders.read(a, false, 10, 3)->bytes.empty());
  CHECK(folders.read(a, false, 99, 3)->offset == 10);
  CHECK(folders.read(a, true, 0, 3)->bytes == "oh");

  output_file limited{folders.of(a).out(), 8192};
  const std::string more(100'000, 'x');
  REQUIRE(write(limited.fd(), more.data(), more.size()) == 100'000);
  REQUIRE(limited.trim());
  const auto rest = folders.read(a, false, 0, 1'000'000);
  CHECK(rest->size == 100'010);
  CHECK(rest->offset > 90'000);
  CHECK(rest->offset % 4096 == 0);
  CHECK(rest->bytes == std::string(rest->size - rest->offset, 'x'));
}
