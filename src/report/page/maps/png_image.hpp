#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// An image of one colour whose pixels are more or less opaque, so that it suits light and dark
/// grounds.
struct shaded_image {
  static constexpr std::uint8_t none = 255;   ///< a pixel that is transparent
  static constexpr std::uint8_t darkest = 63; ///< the greatest level; the least is 0

  std::size_t width = 0;
  std::vector<std::uint8_t> levels; ///< by row, from the top
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// Returns the image as the address of a PNG for the `src` of an element: "data:image/png;...".
std::string png_address(const shaded_image& image);

} // namespace troupe
