#include "workload/traces/text_reader.hpp"

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <ios>
#include <stdexcept>
#include <unistd.h>

namespace troupe {

namespace {

namespace io = boost::iostreams;

constexpr std::size_t chunk_bytes = 256 * 1024;
constexpr std::size_t longest_line = 64 * 1024 * 1024;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error{path + ": " + why};
}

int open_regular_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse(path, "no such file");
  if (status.type() == std::filesystem::file_type::directory)
    refuse(path, "this is a directory; expected a file");
  if (!error && status.type() != std::filesystem::file_type::regular)
    refuse(path, "this is not a regular file; expected one, as it is read twice");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    refuse(path, std::string{"the file cannot be opened: "} + std::strerror(errno));
  return file;
}

} // namespace

class text_reader::stream {
public:
  explicit stream(const std::string& path) {
    const int file = open_regular_file(path);
    io::file_descriptor_source source{file, io::close_handle};
    std::array<char, 2> magic{};
    if (::pread(file, magic.data(), magic.size(), 0) == 2)
      packed_ = magic[0] == '\x1f' && magic[1] == '\x8b';
    if (packed_)
      buffer_.push(io::gzip_decompressor{}, chunk_bytes);
    buffer_.push(source, chunk_bytes);
  }

  std::size_t read(char* to, std::size_t n) {
    return static_cast<std::size_t>(buffer_.sgetn(to, static_cast<std::streamsize>(n)));
  }

  bool packed() const { return packed_; }

private:
  io::filtering_streambuf<io::input> buffer_;
  bool packed_ = false;
};

text_reader::text_reader(const std::string& path)
  : path_(path), in_(std::make_unique<stream>(path)) {
  if (!fill())
    refuse(path_, "the file is empty");
  if (buffer_.starts_with("\xEF\xBB\xBF"))
    begin_ = 3;
}

text_reader::~text_reader() = default;

std::optional<std::string_view> text_reader::next() {
  std::size_t searched = 0;
  for (;;) {
    const auto rest = std::string_view{buffer_}.substr(begin_);
    auto length = rest.find('\n', searched);
    bool last = false;
    if (length == std::string_view::npos) {
      if (rest.size() > longest_line)
        refuse(path_ + ":" + std::to_string(line_ + 1), "the line is longer than 64 MiB");
      searched = rest.size();
      if (fill())
        continue;
      if (searched == 0)
        return std::nullopt;
      length = searched;
      last = true;
    }
    auto line = std::string_view{buffer_}.substr(begin_, length);
    begin_ += length + (last ? 0 : 1);
    cut_ = last;
    ++line_;
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    return line;
  }
}

// Drops what has been returned and reads on; returns false at the end of the file.
bool text_reader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const auto kept = buffer_.size();
  buffer_.resize(kept + chunk_bytes);
  std::size_t n = 0;
  try {
    n = in_->read(buffer_.data() + kept, chunk_bytes);
  } catch (const io::gzip_error& e) {
    refuse(path_, e.zlib_error_code() == io::zlib::buf_error
                    ? "the gzip data end too early; the file is incomplete"
                    : "the gzip data are damaged or end too early");
  } catch (const std::ios_base::failure& e) {
    refuse(path_, std::string{"the file cannot be read: "} + e.what());
  }
  buffer_.resize(kept + n);
  if (std::memchr(buffer_.data() + kept, 0, n) != nullptr)
    refuse(path_, "this is a binary file (it contains zero bytes); expected text, plain or "
                  "compressed with gzip");
  bytes_ += n;
  return n > 0;
}

} // namespace troupe
