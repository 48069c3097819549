#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Finds frameworks that do not answer the allocator's questions about their offers: they are dead,
/// frozen or cut off, and offers to them would lock resources permanently. Frameworks that decide
/// for long answer such a question at once. This outlasts the allocator's incarnations.
class framework_contacts {
public:
  /// `patience`: how long the first answer to a question may take.
  framework_contacts(std::size_t frameworks, duration patience)
    : first_patience_(patience), frameworks_(frameworks, contact{patience, {}, false}) {}

  bool silent(scheduler_id f) const { return frameworks_.at(f).silent; }

  /// Notes that a framework was asked. Returns whether that shows that it is silent, and was not
  /// known to be.
  bool asked(scheduler_id f, instant now) {
    auto& c = frameworks_.at(f);
    if (!c.asked)
      c.asked = now;
    return now - *c.asked >= c.patience && !std::exchange(c.silent, true);
  }

  /// Notes that a framework said something. One that had only been slow gets twice the patience.
  void heard(scheduler_id f) {
    auto& c = frameworks_.at(f);
    if (std::exchange(c.silent, false))
      c.patience = std::min(2 * c.patience, most_times * first_patience_);
    c.asked.reset();
  }

  /// Notes that a framework has another incarnation.
  void replaced(scheduler_id f) { frameworks_.at(f) = {first_patience_, {}, false}; }

private:
  static constexpr std::int64_t most_times = 64;

  struct contact {
    duration patience{0};
    std::optional<instant> asked; ///< when it was asked first since it was heard
    bool silent = false;
  };

  duration first_patience_;
  std::vector<contact> frameworks_;
};

} // namespace troupe
