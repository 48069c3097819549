#include "settings/reading.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace troupe;

namespace {

std::string refusal_of_file(const std::filesystem::path& file) {
  try {
    read_settings(file);
  } catch (const settings_error& error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("a file that cannot be read is refused") {
  CHECK(refusal_of_file("/nowhere/at-all.toml") ==
        "/nowhere/at-all.toml: cannot be read; expected a settings file");
  CHECK(refusal_of_file("/") == "/: is a directory; expected a settings file");
}

TEST_CASE("a file is read and named in messages") {
  const auto folder = std::filesystem::path(TROUPE_BINARY_DIR) / "settings-test";
  std::filesystem::create_directories(folder);
  const auto file = folder / "a.toml";
  std::ofstream(file) << "seed = 5\r\n" << one_phase;
  CHECK(read_settings(file).seed == 5);
  std::ofstream(file) << "\nseed = 'x'\n" << one_phase;
  CHECK(refusal_of_file(file) ==
        file.string() + ":2: key 'seed': value \"x\"; expected a whole number, at least 0");
  std::ofstream(file).flush();
  CHECK(refusal_of_file(file) ==
        file.string() + ": key 'workload.phases': value none (the default); expected at least one "
                        "[[workload.phases]] with a length and a rate or a load");
  std::filesystem::remove_all(folder);
}

TEST_CASE("what is no TOML is refused with its line") {
  CHECK(refusal("seed = 1\nname = \n").starts_with("f.toml:2: not valid TOML: "));
  CHECK(refusal("[sync\n").starts_with("f.toml:1: not valid TOML: "));
  CHECK(refusal("seed = 1\nseed = 2\n").starts_with("f.toml:2: not valid TOML: "));
  CHECK(refusal("a\n\n").starts_with("f.toml:1: not valid TOML: "));
  CHECK(refusal("name = \"\xff\"\n").starts_with("f.toml:1: not valid TOML: "));
  CHECK(refusal("seed = 99999999999999999999\n").starts_with("f.toml:1: not valid TOML: "));
  CHECK(refusal("gap = 5s\n").starts_with("f.toml:1: not valid TOML: "));
}

TEST_CASE("a pipe, a device or a huge file is refused unread") {
  CHECK(refusal_of_file("/dev/zero") ==
        "/dev/zero: is a pipe, a socket or a device; expected a settings file");
  const auto folder = std::filesystem::path(TROUPE_BINARY_DIR) / "settings-test-pipe";
  std::filesystem::create_directories(folder);
  const auto pipe = folder / "pipe.toml";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal_of_file(pipe).find("is a pipe") != std::string::npos);
  const auto file = folder / "huge.toml";
  std::ofstream{file} << one_phase;
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
  CHECK(refusal_of_file(file).find("has 1099511627776 bytes; expected") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a key of endless parts is refused") {
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i)
    key += ".a";
  CHECK(refusal("seed = 1\n" + key + " = 1\n" + one_phase) ==
        "f.toml:2: a key of more than 100 parts; expected a setting");
  CHECK(refusal(one_phase + "[" + key + "]\n").starts_with("f.toml:3: a key of more than 100"));
  CHECK(refusal(one_phase, {key + "=1"}).starts_with("--set: a key of 50001 parts"));
  CHECK(refusal("# " + std::string(200, '.') + "\n" + one_phase) == "accepted");
}
