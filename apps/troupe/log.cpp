#include "log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace troupe {

std::vector<std::string> log_levels() {
  return {"trace", "debug", "info", "warn", "error", "off"};
}

void start_logging(const std::string& level) {
  auto logger = spdlog::stderr_color_mt("troupe");
  logger->set_pattern("%H:%M:%S.%e %^%l%$ %v");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

} // namespace troupe
