#pragma once

#include <string>

namespace troupe {

/// Renders who is at the other end of a connected socket, such as "10.0.0.2:40312" or
/// "[fe80::1]:40312".
std::string peer_address(int socket);

} // namespace troupe
