#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace troupe {

/// Returns the rows of a CSV file (RFC 4180) as objects with the header's names: a numeric field is
/// a number, an empty one is null, any other is a text; fields of the column `texts` are always
/// texts. Missing fields of a row are omitted.
nlohmann::ordered_json json_of_csv(std::string_view csv, std::string_view texts = {});

} // namespace troupe
