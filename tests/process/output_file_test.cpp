#include "process/command/output_file.hpp"
#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace troupe;
using troupe::test::supervised;

TEST_CASE("an output file gives back what is beyond its limit, the oldest first") {
  const supervised here;
  const auto file = here.path() / "out";
  output_file out{file, 64 << 10};
  std::string all;
  for (int i = 0; i < 400'000; ++i)
    all += static_cast<char>('a' + i % 26);
  for (std::size_t at = 0; at < all.size(); at += 100'000) {
    REQUIRE(write(out.fd(), all.data() + at, 100'000) == 100'000);
    REQUIRE(out.trim());
  }
  CHECK(out.size() == all.size());
  struct stat of {};
  REQUIRE(stat(file.c_str(), &of) == 0);
  CHECK(of.st_blocks * 512 <= (64 << 10) + 2 * 4096);
  std::ifstream in{file, std::ios::binary};
  const std::string kept{std::istreambuf_iterator<char>{in}, {}};
  REQUIRE(kept.size() == all.size());
  const auto last = std::size_t{64} << 10;
  CHECK(kept.substr(kept.size() - last) == all.substr(all.size() - last));
  CHECK(kept.substr(0, 1'000) == std::string(1'000, '\0'));
}

TEST_CASE("an output file keeps its limit after the command has made it empty") {
  const supervised here;
  const auto file = here.path() / "out";
  output_file out{file, 64 << 10};
  const std::string text(400'000, 'x');
  for (int i = 0; i < 2; ++i) {
    REQUIRE(write(out.fd(), text.data(), text.size()) == 400'000);
    REQUIRE(out.trim());
    struct stat of {};
    REQUIRE(stat(file.c_str(), &of) == 0);
    CHECK(of.st_blocks * 512 <= (64 << 10) + 2 * 4096);
    REQUIRE(ftruncate(out.fd(), 100) == 0);
  }
}

TEST_CASE("an output file without a limit keeps all") {
  const supervised here;
  output_file out{here.path() / "out", 0};
  const std::string text(100'000, 'x');
  REQUIRE(write(out.fd(), text.data(), text.size()) == 100'000);
  CHECK(out.trim());
  std::ifstream in{here.path() / "out"};
  CHECK(std::string{std::istreambuf_iterator<char>{in}, {}} == text);
}
