// Tables of machines in every format that has them. The first byte chooses the format.
#include "fuzz/input.hpp"
#include "fuzz/memory_file.hpp"
#include "workload/machine_table.hpp"

#include <iterator>

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::memory_file file;
  constexpr const char* formats[] = {"auto", "google2011", "alibaba2018", "swf", "openb"};
  std::span<const std::uint8_t> in{data, size};
  machine_trace_settings settings;
  settings.format = formats[fuzz::take_byte(in) % std::size(formats)];
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
