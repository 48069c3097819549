#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace troupe {

/// By how much another host's clock is ahead of this one's, from questions and answers as in NTP
/// (RFC 5905, section 8): the one with the shortest way there and back of the last ones counts, as
/// half of that is the most by which it can be wrong. Times are in ns since 1970.
class clock_offset {
public:
  static constexpr std::size_t most_kept = 16;

  struct estimate {
    std::int64_t ahead = 0; ///< of the other clock, in ns
    std::int64_t error = 0; ///< at most, in ns

    /// The least by which the clocks differ, in ns.
    std::int64_t at_least() const;
  };

  /// A question was asked here at `asked` and its answer was here at `now`; the other side says
  /// when it has had the question and when it has answered. What cannot be true is left out.
  void add(std::int64_t asked, std::int64_t received, std::int64_t answered, std::int64_t now);

  /// Nothing before the third answer.
  std::optional<estimate> best() const;

private:
  std::deque<estimate> samples_;
};

} // namespace troupe
