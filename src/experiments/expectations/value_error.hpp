#pragma once

#include <stdexcept>

namespace troupe {

/// A requested value is missing or not a number. The text is for the user.
struct value_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace troupe
