#include "report/json/parse_json.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace troupe {

nlohmann::ordered_json parse_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::ordered_json read_json(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return parse_json(std::string{std::istreambuf_iterator<char>{in}, {}});
}

} // namespace troupe
