// Settings files: what is read and printed is read as the same again; all else is refused with a
// `settings_error`.
#include "fuzz/input.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of({data, size});
  // These two read other files.
  if (text.find("extends") != std::string::npos || text.find("plugins") != std::string::npos)
    return 0;
  try {
    const auto settings = parse_settings(text, "input.toml");
    const auto printed = to_toml(settings);
    fuzz::require(parse_settings(printed, "printed.toml") == settings,
                  "settings that are printed are read as the same");
  } catch (const settings_error&) {
  }
  return 0;
}
