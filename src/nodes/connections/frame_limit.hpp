#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Faults of a frame.
enum class frame_fault {
  none,
  too_long, ///< its payload is longer than the limit
  foreign   ///< its sender or receiver is not the process at that end of the connection
};

/// Follows the frames of CAF's protocol (BASP) on one connection as their bytes arrive: a header of
/// 32 bytes, whose first byte is the kind of the frame and whose second four are the length of the
/// payload, high byte first; then the payload. CAF allocates the announced length before any of the
/// payload has arrived.
///
/// The payloads of handshakes begin with the id of their sender. Those of routed messages, and of
/// messages about the ends of actors, begin with that and the id of the receiver. CAF believes the
/// first and forwards to the second. This limit refuses ids of other processes.
class frame_limit {
public:
  /// Refuses frames with payloads longer than `limit`, in bytes. `sender` and `receiver` are the
  /// ids at the two ends, as CAF writes them; ids are not checked if both are empty.
  explicit frame_limit(std::uint32_t limit, const std::string& sender = {},
                       const std::string& receiver = {})
    : limit_(limit), sender_(sender), both_(sender + receiver) {}
  frame_limit(const frame_limit&) = delete;
  frame_limit& operator=(const frame_limit&) = delete;

  /// Processes the next bytes. Returns the first fault; results of later calls have no meaning.
  frame_fault feed(std::string_view bytes);

  /// The longest payload announced so far.
  std::uint32_t longest() const { return longest_; }

  /// Returns how many bytes have arrived of a frame that is not complete, if it has announced a
  /// payload longer than `length`; otherwise 0.
  std::size_t incomplete(std::uint32_t length) const {
    return payload_left_ > 0 && payload_ > length ? header_size + payload_ - payload_left_ : 0;
  }

  /// Returns whether any header has arrived.
  bool any() const { return any_; }

private:
  static constexpr std::size_t header_size = 32;

  frame_fault begin_payload();

  std::uint32_t limit_;
  std::string sender_;
  std::string both_;
  std::array<unsigned char, header_size> header_{};
  std::size_t header_bytes_ = 0; ///< of the incomplete header
  std::uint32_t payload_ = 0;    ///< of the last frame
  std::uint32_t payload_left_ = 0;
  std::string_view ids_; ///< the rest of the payload has to begin with these
  std::uint32_t longest_ = 0;
  bool any_ = false;
};

} // namespace troupe
