#include "model/base/log.hpp"

#include <spdlog/spdlog.h>

namespace troupe::log {

namespace {

spdlog::level::level_enum level_of(level of) {
  switch (of) {
  case level::debug:
    return spdlog::level::debug;
  case level::info:
    return spdlog::level::info;
  case level::warn:
    return spdlog::level::warn;
  case level::error:
    break;
  }
  return spdlog::level::err;
}

} // namespace

bool enabled(level of) {
  return spdlog::should_log(level_of(of));
}

void write(level of, std::string_view text) {
  spdlog::default_logger_raw()->log(level_of(of), spdlog::string_view_t{text.data(), text.size()});
}

} // namespace troupe::log
