#include "report/results/results_format.hpp"

#include "model/jobs/job_source.hpp"
#include "report/json/parse_json.hpp"
#include "report/results/results_directory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Returns ", by troupe 0.9.0" if the file says so.
std::string writer_of(const json& content) {
  const auto& from = content.contains("host") ? content["host"] : content;
  if (!from.is_object() || !from.contains("version") || !from["version"].is_string())
    return "";
  auto version = from["version"].get<std::string>();
  return ", by " + (version.starts_with("troupe ") ? version : "troupe " + version);
}

} // namespace

void check_results_format(const std::filesystem::path& file, const json& content) {
  if (!content.is_object() || !content.contains("format") || content["format"] == results_format)
    return;
  throw input_error(fmt::format("{}: it has format {}{}; this troupe reads format {}: use "
                                "the one that wrote it, or run again",
                                file.string(), content["format"].dump(), writer_of(content),
                                results_format));
}

void check_results_format(const std::filesystem::path& directory) {
  const auto file = directory / results_directory::summary_name;
  check_results_format(file, read_json(file));
}

} // namespace troupe
