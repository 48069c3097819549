#pragma once

#include "model/distribution.hpp"

namespace troupe {

/// The Kolmogorov-Smirnov distance between two samples: the greatest difference between the shares
/// of numbers up to some limit, 0 .. 1, with limits at the bounds of the distributions' bins. 0 if
/// both are empty, 1 if one is.
double ks_distance(const distribution& a, const distribution& b);

} // namespace troupe
