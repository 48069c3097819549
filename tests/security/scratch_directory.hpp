#pragma once

#include "security/certificate.hpp"
#include "security/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

namespace troupe::test {

namespace fs = std::filesystem;

/// A directory of its own for one test, gone after it.
class scratch_directory {
public:
  scratch_directory() {
    auto name = (fs::temp_directory_path() / "troupe-security-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;
  ~scratch_directory() { fs::remove_all(path_); }

  fs::path operator/(const std::string& name) const { return path_ / name; }

private:
  fs::path path_;
};

inline void put(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string get(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Permissions, as in 0600.
inline unsigned mode_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw std::runtime_error("no " + path.string());
  return status.st_mode & 07777;
}

/// 2026-11-21 08:10:00 UTC.
inline const wall_time test_time = std::chrono::system_clock::from_time_t(1795248600);

/// Returns the message with which `call` refuses its input, or "" if it does not.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const security_error& e) {
    return e.what();
  }
  return "";
}

} // namespace troupe::test
