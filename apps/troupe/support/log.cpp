#include "support/log.hpp"

#include "report/text/printable.hpp"
#include "support/terminal.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <unistd.h>

namespace troupe {

namespace {

/// Longer messages are truncated.
constexpr std::size_t longest_line = 4096;

bool level_is_chosen = false;

/// Renders a message as one printable line; parts of it may come from other hosts.
class printable_message final : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const auto text = printable({message.payload.data(), message.payload.size()}, longest_line);
    out.append(text.data(), text.data() + text.size());
  }

  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<printable_message>();
  }
};

} // namespace

std::vector<std::string> log_levels() {
  return {"trace", "debug", "info", "warn", "error", "off"};
}

void start_logging(const std::string& level, bool chosen) {
  level_is_chosen = chosen;
  const auto mode =
    has_color(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never;
  auto logger = spdlog::stderr_color_mt("troupe", mode);
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<printable_message>('*').set_pattern("%H:%M:%S.%e %^%l%$ %*");
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

void log_only_errors_by_default() {
  if (!level_is_chosen)
    spdlog::default_logger()->set_level(spdlog::level::err);
}

} // namespace troupe
