#pragma once

#include <string>

namespace troupe {

/// Compares the values that determine the members and machines of a cluster, in two settings as
/// `to_toml` writes them. Keys that only one of them has do not count, as another version of the
/// program may add some. Returns the differences as a text, "cluster.machines is 40 here and 60
/// there"; empty if there are none.
std::string shape_difference(const std::string& here, const std::string& there);

} // namespace troupe
