#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace troupe {

/// Estimates the offset of another host's clock from requests and answers, as in NTP (RFC 5905,
/// section 8). Of the recent exchanges it uses the one with the shortest round trip; half of the
/// round trip bounds the error. Times are in ns since 1970.
class clock_offset {
public:
  static constexpr std::size_t most_kept = 16;

  struct estimate {
    std::int64_t ahead = 0; ///< of the other clock, in ns
    std::int64_t error = 0; ///< at most, in ns

    /// The least possible difference of the clocks, in ns.
    std::int64_t at_least() const;
  };

  /// Adds an exchange: the request was sent here at `asked`, and its answer arrived here at `now`;
  /// the other side states when it received the request and when it answered. Impossible values are
  /// ignored.
  void add(std::int64_t asked, std::int64_t received, std::int64_t answered, std::int64_t now);

  /// Returns nothing before the third answer.
  std::optional<estimate> best() const;

private:
  std::deque<estimate> samples_;
};

} // namespace troupe
