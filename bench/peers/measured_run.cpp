#include "peers/measured_run.hpp"

#include "failures/cluster_process.hpp"
#include "report/json/parse_json.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace troupe::peers {

namespace {

namespace fs = std::filesystem;

constexpr const char* output = "output.txt";
constexpr const char* errors = "errors.txt";

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

/// Runs a program to its end. Returns its cost.
measured_run execute(const fs::path& scratch, const std::vector<std::string>& words) {
  fs::remove(scratch / errors);
  trials::cluster_process run{scratch, words, output, errors};
  if (const int code = run.wait(); code != 0)
    throw std::runtime_error(words[0] + " ends with " + std::to_string(code) + ": " +
                             trials::read_text(scratch / errors));
  measured_run result;
  result.cpu = seconds(run.usage().ru_utime) + seconds(run.usage().ru_stime);
  result.memory = static_cast<double>(run.usage().ru_maxrss) / 1024;
  return result;
}

/// Returns the number at `key`, or 0 if there is none.
template <class Number>
Number number_at(const nlohmann::ordered_json& in, const char* key) {
  const auto it = in.find(key);
  return it != in.end() && it->is_number() ? it->get<Number>() : Number{0};
}

} // namespace

measured_run run_troupe(const fs::path& scratch, const std::string& troupe,
                        const std::string& config, const std::vector<std::string>& overrides) {
  std::vector<std::string> words{troupe,        "run",   config,  "--quiet",
                                 "--overwrite", "--out", "troupe"};
  for (const auto& o : overrides)
    words.insert(words.end(), {"--set", o});
  auto result = execute(scratch, words);
  const auto summary = read_json(scratch / "troupe" / "summary.json");
  if (!summary.is_object())
    throw std::runtime_error("troupe has left no summary of " + config);
  result.tasks = summary.at("tasks").at("placed").get<std::uint64_t>();
  result.delay = number_at<double>(summary.at("scheduling_delay_s").at("placed"), "mean");
  result.conflicts = number_at<std::uint64_t>(summary, "conflicts");
  result.quality = number_at<double>(summary.at("quality"), "mean");
  return result;
}

measured_run run_peer(const fs::path& scratch, const std::vector<std::string>& words) {
  auto result = execute(scratch, words);
  const auto figures = parse_json(trials::read_text(scratch / output));
  if (!figures.is_object())
    throw std::runtime_error(words[0] + " has printed no figures");
  result.tasks = number_at<std::uint64_t>(figures, "tasks");
  result.delay = number_at<double>(figures, "delay_s");
  result.conflicts = number_at<std::uint64_t>(figures, "conflicts");
  result.quality = number_at<double>(figures, "quality");
  return result;
}

} // namespace troupe::peers
