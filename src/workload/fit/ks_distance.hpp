#pragma once

#include "model/base/distribution.hpp"

namespace troupe {

/// The Kolmogorov-Smirnov distance between two samples: the greatest difference between their
/// cumulative distributions, 0 .. 1, taken at the bounds of the distributions' bins. 0 if both are
/// empty, 1 if one is.
double ks_distance(const distribution& a, const distribution& b);

} // namespace troupe
