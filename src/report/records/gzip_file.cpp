#include "report/records/gzip_file.hpp"

#include <libdeflate.h>
#include <stdexcept>

namespace troupe {

struct gzip_file::compressor {
  static constexpr int fastest = 1;

  compressor() : handle(libdeflate_alloc_compressor(fastest)) {
    if (handle == nullptr)
      throw std::bad_alloc{};
  }
  compressor(const compressor&) = delete;
  compressor& operator=(const compressor&) = delete;
  ~compressor() { libdeflate_free_compressor(handle); }

  libdeflate_compressor* handle;
};

gzip_file::gzip_file(const std::filesystem::path& path)
  : out_(path, std::ios::binary | std::ios::trunc), with_(std::make_unique<compressor>()) {}

gzip_file::~gzip_file() = default;
gzip_file::gzip_file(gzip_file&&) noexcept = default;

bool gzip_file::add(std::string_view text) {
  if (text.empty())
    return static_cast<bool>(out_);
  packed_.resize(libdeflate_gzip_compress_bound(with_->handle, text.size()));
  const auto size = libdeflate_gzip_compress(with_->handle, text.data(), text.size(),
                                             packed_.data(), packed_.size());
  out_.write(packed_.data(), static_cast<std::streamsize>(size));
  out_.flush();
  return static_cast<bool>(out_);
}

bool gzip_file::close() {
  out_.close();
  return static_cast<bool>(out_);
}

} // namespace troupe
