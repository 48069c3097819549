#include "web/token.hpp"

#include "security/error.hpp"
#include "security/files.hpp"
#include "security/openssl_types.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <vector>

namespace troupe {

namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::size_t least_token = 32;
constexpr std::size_t most_token = 256;

bool is_token(std::string_view text) {
  return text.size() >= least_token && text.size() <= most_token &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.' || c == '~';
         });
}

} // namespace

std::string random_token(std::size_t bytes) {
  std::vector<unsigned char> drawn(bytes);
  require_openssl(RAND_bytes(drawn.data(), static_cast<int>(bytes)) == 1, "drawing a token");
  std::string text;
  for (const auto byte : drawn)
    text += fmt::format("{:02x}", byte);
  return text;
}

std::string token_in(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0)
    return existing_token_in(path);
  const auto made = random_token(token_bytes);
  write_small_file(path, made + '\n', 0600, existing::keep);
  return made;
}

std::string existing_token_in(const std::filesystem::path& path) {
  constexpr auto expected = "a token, one line of 32 to 256 letters and digits, in a file with the "
                            "permissions 0600";
  auto text = read_small_file(path, expected);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0)
    throw security_error{path.string() + ": others than its owner may use the token; expected " +
                         "permissions 0600"};
  if (text.ends_with('\n'))
    text.pop_back();
  if (!is_token(text))
    throw security_error{path.string() + ": this is not a token; expected " + expected};
  return text;
}

bool same_token(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace troupe
