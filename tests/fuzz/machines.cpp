// Tables of machines in every format that has them. The first byte chooses the format.
#include "fuzz/input.hpp"
#include "fuzz/memory_file.hpp"
#include "workload/formats/machine_table.hpp"

#include <iterator>
#include <regex>
#include <string_view>

using namespace troupe;

namespace {

/// Returns whether a header asks for very many machines. Ten millions are allowed, but with
/// sanitizers these take a minute and gigabytes.
bool asks_for_too_many(std::span<const std::uint8_t> in) {
  static const std::regex many{"Max(Nodes|Procs):\\s*0*[1-9][0-9]{4}"};
  const auto* text = reinterpret_cast<const char*>(in.data());
  return std::regex_search(text, text + in.size(), many);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::memory_file file;
  constexpr trace_format formats[] = {trace_format::automatic,   trace_format::google2011,
                                      trace_format::alibaba2018, trace_format::swf,
                                      trace_format::openb,       trace_format::recorded};
  std::span<const std::uint8_t> in{data, size};
  machine_trace_settings settings;
  settings.format = formats[fuzz::take_byte(in) % std::size(formats)];
  if (asks_for_too_many(in))
    return 0;
  settings.file = file.path();
  file.write(in);
  try {
    const auto table = read_machines(settings);
    for (const auto& change : table.changes)
      fuzz::require(change.machine < table.machines.size(), "changes are of machines of the table");
    for (const auto& machine : table.machines)
      fuzz::require(machine.kind < table.kinds.size(), "machines are of kinds of the table");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
