#include "report/records/gzip_file.hpp"

#include <algorithm>
#include <cstdint>
#include <isa-l/igzip_lib.h>
#include <limits>
#include <system_error>

namespace troupe {

/// Of ISA-L, at its level 1: takes less than half of the time of zlib's or libdeflate's fastest
/// level for the rows of records, for files of the same size.
struct gzip_file::compressor {
  isal_zstream stream{};
  std::vector<std::uint8_t> level_buffer = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
};

gzip_file::gzip_file(const std::filesystem::path& path)
  : path_(path),
    out_(path, std::ios::binary | std::ios::trunc),
    failed_(!out_),
    with_(std::make_unique<compressor>()) {}

gzip_file::~gzip_file() = default;
gzip_file::gzip_file(gzip_file&&) noexcept = default;

void gzip_file::cut() {
  failed_ = true;
  out_.close();
  std::error_code ignored;
  std::filesystem::resize_file(path_, whole_, ignored);
}

bool gzip_file::add(std::string_view text) {
  if (text.empty() || failed_)
    return !failed_;
  std::uintmax_t size = 0;
  constexpr std::size_t most_at_a_time = std::numeric_limits<std::int32_t>::max();
  constexpr std::size_t room = 256 << 10;
  packed_.resize(room);
  auto& stream = with_->stream;
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = with_->level_buffer.data();
  stream.level_buf_size = static_cast<std::uint32_t>(with_->level_buffer.size());
  while (stream.internal_state.state != ZSTATE_END) {
    if (stream.avail_in == 0) {
      const auto part = text.substr(0, most_at_a_time);
      text.remove_prefix(part.size());
      // It does not write there, though the type of its parameter is not const.
      stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(part.data()));
      stream.avail_in = static_cast<std::uint32_t>(part.size());
      stream.end_of_stream = text.empty();
    }
    stream.next_out = reinterpret_cast<std::uint8_t*>(packed_.data());
    stream.avail_out = static_cast<std::uint32_t>(packed_.size());
    isal_deflate(&stream); // fails for wrong parameters only
    const auto part = packed_.size() - stream.avail_out;
    out_.write(packed_.data(), static_cast<std::streamsize>(part));
    size += part;
  }
  out_.flush();
  if (out_)
    whole_ += size;
  else
    cut();
  return !failed_;
}

bool gzip_file::close() {
  if (failed_)
    return false;
  out_.close();
  if (!out_)
    cut();
  return !failed_;
}

} // namespace troupe
