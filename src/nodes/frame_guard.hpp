#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace troupe {

/// Follows the frames of CAF's protocol (BASP) on one line as their bytes come in: a header of 32
/// bytes, of which the second four are the length of the payload, high byte first, then the
/// payload. CAF allocates as much as a header announces before any of it has come.
class frame_guard {
public:
  /// Frames with longer payloads, in bytes, are not to be taken.
  explicit frame_guard(std::uint32_t limit) : limit_(limit) {}

  /// Takes the next bytes. Returns the length of a payload that is too long once a header announces
  /// one; what comes after that means nothing.
  std::optional<std::uint32_t> feed(std::string_view bytes);

  /// The longest payload that has been announced so far.
  std::uint32_t longest() const { return longest_; }

  /// Returns whether a header has come.
  bool any() const { return any_; }

private:
  static constexpr std::size_t header_size = 32;

  std::uint32_t limit_;
  std::array<unsigned char, header_size> header_{};
  std::size_t header_bytes_ = 0; ///< of the header that is coming in
  std::uint32_t payload_left_ = 0;
  std::uint32_t longest_ = 0;
  bool any_ = false;
};

} // namespace troupe
