#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// The target of a request (RFC 9112, section 3.2.1), decoded.
struct web_target {
  std::string path;
  std::map<std::string, std::string> query;
};

/// Reads "/a/b?x=1&y=2". Returns nothing unless it begins with '/', its escapes are complete, and
/// it contains no byte 0. In the query, '+' stands for a space.
std::optional<web_target> read_target(std::string_view text);

} // namespace troupe
