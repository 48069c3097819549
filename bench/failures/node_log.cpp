#include "failures/node_log.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>

namespace troupe::trials {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

std::vector<log_line> read_log(const std::filesystem::path& file) {
  std::vector<log_line> lines;
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    int h = 0;
    int m = 0;
    int s = 0;
    int ms = 0;
    int used = 0;
    if (std::sscanf(line.c_str(), "%2d:%2d:%2d.%3d %*s%n", &h, &m, &s, &ms, &used) != 4 ||
        used == 0)
      continue;
    const auto text = line.find_first_not_of(' ', static_cast<std::size_t>(used));
    lines.push_back(
      {std::chrono::hours{h} + std::chrono::minutes{m} + std::chrono::seconds{s} + milliseconds{ms},
       text == std::string::npos ? "" : line.substr(text)});
  }
  return lines;
}

milliseconds time_after(std::chrono::system_clock::time_point moment, const log_line& line) {
  const auto seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm local{};
  localtime_r(&seconds, &local);
  const auto rest = std::chrono::duration_cast<milliseconds>(
    moment - std::chrono::time_point_cast<std::chrono::seconds>(moment));
  const auto from = std::chrono::hours{local.tm_hour} + std::chrono::minutes{local.tm_min} +
                    std::chrono::seconds{local.tm_sec} + rest;
  const auto after = (line.at - from + 24h) % milliseconds{24h};
  return after > milliseconds{12h} ? after - milliseconds{24h} : after;
}

std::optional<milliseconds> first_after(const std::vector<log_line>& log,
                                        std::chrono::system_clock::time_point moment,
                                        const std::string& part) {
  for (const auto& line : log)
    if (const auto after = time_after(moment, line);
        after >= 0ms && line.text.find(part) != std::string::npos)
      return after;
  return std::nullopt;
}

} // namespace troupe::trials
