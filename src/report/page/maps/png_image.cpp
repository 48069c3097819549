#include "report/page/maps/png_image.hpp"

#include <algorithm>
#include <libdeflate.h>
#include <memory>
#include <new>
#include <string_view>

namespace troupe {

namespace {

/// The least opacity, so that a level of 0 differs from a transparent pixel.
constexpr unsigned faintest = 20;
constexpr std::size_t colours = shaded_image::darkest + 2; ///< the first one is transparent

void put_number(std::string& to, std::uint32_t n) {
  for (int shift = 24; shift >= 0; shift -= 8)
    to += static_cast<char>(n >> shift & 0xff);
}

void put_chunk(std::string& to, std::string_view kind, std::string_view content) {
  put_number(to, static_cast<std::uint32_t>(content.size()));
  const auto begin = to.size();
  to += kind;
  to += content;
  put_number(to, libdeflate_crc32(0, to.data() + begin, to.size() - begin));
}

std::string packed(const std::string& text) {
  constexpr int thorough = 9;
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> with{
    libdeflate_alloc_compressor(thorough), libdeflate_free_compressor};
  if (!with)
    throw std::bad_alloc{};
  std::string out(libdeflate_zlib_compress_bound(with.get(), text.size()), '\0');
  out.resize(
    libdeflate_zlib_compress(with.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const auto n = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= n ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

} // namespace

std::string png_address(const shaded_image& image) {
  const auto height = image.width > 0 ? image.levels.size() / image.width : 0;
  std::string png = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, static_cast<std::uint32_t>(image.width));
  put_number(header, static_cast<std::uint32_t>(height));
  header += {8, 3, 0, 0, 0}; // eight bits for each pixel, which are the number of a colour
  put_chunk(png, "IHDR", header);
  std::string palette;
  std::string opacity;
  for (std::size_t c = 0; c < colours; ++c) {
    palette +=
      {static_cast<char>(image.red), static_cast<char>(image.green), static_cast<char>(image.blue)};
    opacity +=
      static_cast<char>(c == 0 ? 0 : faintest + (255 - faintest) * (c - 1) / shaded_image::darkest);
  }
  put_chunk(png, "PLTE", palette);
  put_chunk(png, "tRNS", opacity);
  std::string pixels;
  for (std::size_t y = 0; y < height; ++y) {
    pixels += '\0'; // this row is not filtered
    for (std::size_t x = 0; x < image.width; ++x) {
      const auto level = image.levels[y * image.width + x];
      pixels += static_cast<char>(
        level == shaded_image::none ? 0 : 1 + std::min(level, shaded_image::darkest));
    }
  }
  put_chunk(png, "IDAT", packed(pixels));
  put_chunk(png, "IEND", "");
  return "data:image/png;base64," + base64(png);
}

} // namespace troupe
