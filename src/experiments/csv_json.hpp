#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace troupe {

/// Returns the rows of a CSV file (RFC 4180) as objects with the header's names: numbers where a
/// field is one, null where it is empty, and else texts; in the column `texts`, texts only. Fields
/// that a row lacks are left out.
nlohmann::ordered_json json_of_csv(std::string_view csv, std::string_view texts = {});

} // namespace troupe
