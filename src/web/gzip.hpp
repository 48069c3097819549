#pragma once

#include <string>
#include <string_view>

namespace troupe {

enum class gzip_effort { often = 1, once = 9 };

/// Returns `text` compressed by gzip, or an empty text if that would not be shorter.
std::string gzip_text(std::string_view text, gzip_effort effort);

/// Returns whether the value of a header Accept-Encoding allows gzip.
bool accepts_gzip(std::string_view accept_encoding);

} // namespace troupe
