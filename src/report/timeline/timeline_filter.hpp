#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A set of whole numbers, as ranges: "0-9,17".
class number_ranges {
public:
  number_ranges() = default;
  /// Throws `std::invalid_argument`, with what is expected, if `text` is neither ranges, "all" nor
  /// "none".
  explicit number_ranges(std::string_view text);

  bool contains(std::uint64_t n) const;
  bool any() const { return !ranges_.empty(); }

private:
  struct range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  std::vector<range> ranges_;
};

/// The members whose tracks are drawn: "all", or a list of roles and of members, as in
/// "master,scheduler,owner.2,owner.5-7".
class member_choice {
public:
  member_choice() = default;
  /// Throws `std::invalid_argument`, with what is expected.
  explicit member_choice(std::string_view text);

  bool contains(std::string_view role, std::uint32_t number) const;

private:
  struct entry {
    std::string role;
    number_ranges numbers;
  };

  bool all_ = true;
  std::vector<entry> entries_;
};

/// What a timeline shows.
struct timeline_filter {
  instant from{0};
  instant to = instant::max();
  member_choice members;
  number_ranges machines{"0-9"}; ///< whose tasks are shown
  number_ranges jobs{"0-9"};     ///< which are shown, with their tasks
  bool snapshots = false;        ///< show those that schedulers receive: many

  /// Returns whether any of a stretch of time is shown.
  bool covers(instant begin, instant end) const { return begin <= to && end >= from; }
  bool covers(instant at) const { return covers(at, at); }
};

} // namespace troupe
