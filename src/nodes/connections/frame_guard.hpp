#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// What is wrong with a frame.
enum class frame_fault {
  none,
  too_long, ///< its payload is longer than the limit
  foreign   ///< it is in the name of another process than the sender, or for another than this one
};

/// Follows the frames of CAF's protocol (BASP) on one line as their bytes come in: a header of 32
/// bytes, whose first byte is the kind of the frame and whose second four are the length of the
/// payload, high byte first; then the payload. CAF allocates as much as a header announces before
/// any of it has come.
///
/// The payloads of handshakes begin with the id of their sender. Those of routed messages, and of
/// what is said of the ends of actors, begin with that and the id of the receiver. CAF believes the
/// first and forwards to the second; this guard lets neither be another process's.
class frame_guard {
public:
  /// Frames with longer payloads, in bytes, are not to be taken. `sender` and `receiver` are the
  /// ids at the two ends, as CAF writes them; ids are not looked at if both are empty.
  explicit frame_guard(std::uint32_t limit, const std::string& sender = {},
                       const std::string& receiver = {})
    : limit_(limit), sender_(sender), both_(sender + receiver) {}
  frame_guard(const frame_guard&) = delete;
  frame_guard& operator=(const frame_guard&) = delete;

  /// Takes the next bytes. Returns the first fault; what comes after that means nothing.
  frame_fault feed(std::string_view bytes);

  /// The longest payload that has been announced so far.
  std::uint32_t longest() const { return longest_; }

  /// Returns whether a header has come.
  bool any() const { return any_; }

private:
  static constexpr std::size_t header_size = 32;

  frame_fault begin_payload();

  std::uint32_t limit_;
  std::string sender_;
  std::string both_;
  std::array<unsigned char, header_size> header_{};
  std::size_t header_bytes_ = 0; ///< of the header that is coming in
  std::uint32_t payload_left_ = 0;
  std::string_view ids_; ///< with which the rest of the payload has to begin
  std::uint32_t longest_ = 0;
  bool any_ = false;
};

} // namespace troupe
