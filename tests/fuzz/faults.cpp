// Traces of failures.
#include "fuzz/input.hpp"
#include "fuzz/memory_file.hpp"
#include "runtime/faults/fault_trace.hpp"

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::memory_file file;
  file.write({data, size});
  try {
    for (const auto& row : read_fault_trace(file.path())) {
      fuzz::require(row.from >= 0 && row.from < 1e9, "failures begin within 1e9 s");
      fuzz::require(row.length >= 0 && row.length < 1e9, "failures last less than 1e9 s");
      fuzz::require(!row.target.empty(), "failures have a target");
    }
  } catch (const std::runtime_error&) {
  }
  return 0;
}
