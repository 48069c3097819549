#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string_view>

namespace troupe {

/// Parses JSON. The value is discarded (`is_discarded()`) if the text is malformed. The parser
/// takes seconds to compile, so all use this one.
nlohmann::ordered_json parse_json(std::string_view text);

/// The same for the text of a file. The value is discarded if the file cannot be read.
nlohmann::ordered_json read_json(const std::filesystem::path& file);

} // namespace troupe
