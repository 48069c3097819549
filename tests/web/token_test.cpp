#include "security/error.hpp"
#include "web/token.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace troupe;
namespace fs = std::filesystem;

TEST_CASE("a token is made once, for its owner only") {
  const auto folder = fs::temp_directory_path() / ("troupe-token-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto path = folder / "token";
  CHECK_THROWS_AS(existing_token_in(path), security_error);
  CHECK_FALSE(fs::exists(path));
  const auto made = token_in(path);
  CHECK(made.size() == 64);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(token_in(path) == made);
  CHECK(existing_token_in(path) == made);
  ::chmod(path.c_str(), 0644);
  CHECK_THROWS_AS(token_in(path), security_error);
  ::chmod(path.c_str(), 0600);
  std::ofstream{path} << "short\n";
  CHECK_THROWS_AS(token_in(path), security_error);
  std::ofstream{path} << std::string(40, 'a') << " b\n";
  CHECK_THROWS_AS(token_in(path), security_error);
  fs::remove_all(folder);
}

TEST_CASE("tokens differ, and are compared whole") {
  CHECK(random_token(16) != random_token(16));
  CHECK(same_token("abc", "abc"));
  CHECK(!same_token("abc", "abd"));
  CHECK(!same_token("abc", "ab"));
  CHECK(same_token("", ""));
}
