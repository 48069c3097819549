#pragma once

#include <stdexcept>

namespace troupe {

/// A value that was asked for is not there, or no number. The text is for the user.
struct value_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace troupe
