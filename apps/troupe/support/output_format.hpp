#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace troupe {

/// The format in which a command prints its result.
enum class output_format : std::uint8_t { table, csv, json, markdown };

template <>
struct choice_names<output_format> {
  static constexpr std::array<std::string_view, 4> value{"table", "csv", "json", "markdown"};
};

/// Adds --format and --json to `command`, with the formats that it has, in the order of its help.
/// `format` must outlive `command`.
void add_format_option(CLI::App& command, output_format& format,
                       std::span<const output_format> formats);

} // namespace troupe
