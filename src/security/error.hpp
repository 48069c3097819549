#pragma once

#include <stdexcept>

namespace troupe {

/// A certificate, a key or a name that cannot be used. what() is one line for the user: the file or
/// the value, what is wrong with it, and what would be right.
struct security_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace troupe
