#pragma once

#include <stdexcept>

namespace troupe {

/// An unusable certificate, key or name. what() is one line for the user: the file or the value,
/// the problem, and the expected value.
struct security_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace troupe
