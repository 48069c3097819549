#pragma once

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace troupe::test {

/// A file that is gone when the test is over.
class temp_file {
public:
  explicit temp_file(std::string_view content) {
    static int count = 0;
    path_ = std::filesystem::path{TROUPE_BINARY_DIR} /
            ("workload-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tr");
    std::ofstream{path_, std::ios::binary} << content;
  }

  ~temp_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  temp_file(const temp_file&) = delete;
  temp_file& operator=(const temp_file&) = delete;

  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

inline std::string gzip(const std::string& text) {
  std::ostringstream packed;
  {
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor{});
    out.push(packed);
    out << text;
  }
  return packed.str();
}

} // namespace troupe::test
