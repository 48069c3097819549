// Traces of jobs in every format. The first byte chooses the format, the second the settings.
#include "fuzz/input.hpp"
#include "fuzz/memory_file.hpp"
#include "workload/traces/trace_reader.hpp"

#include <chrono>
#include <iterator>

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::memory_file file;
  constexpr trace_format formats[] = {trace_format::automatic,  trace_format::tr,
                                      trace_format::google2011, trace_format::alibaba2018,
                                      trace_format::swf,        trace_format::openb,
                                      trace_format::recorded};
  std::span<const std::uint8_t> in{data, size};
  trace_settings settings;
  settings.format = formats[fuzz::take_byte(in) % std::size(formats)];
  const auto choices = fuzz::take_byte(in);
  settings.gangs = (choices & 1) == 0;
  settings.memory = (choices & 2) != 0;
  settings.unfinished = (choices & 4) != 0 ? unfinished_kind::drop : unfinished_kind::cut;
  if ((choices & 8) != 0)
    settings.from = std::chrono::seconds{100};
  if ((choices & 16) != 0)
    settings.sample = 0.5;
  file.write(in);
  try {
    const auto reader = open_sorted_trace(file.path(), settings);
    trace_job job;
    instant before{0};
    for (int jobs = 0; jobs < 1000 && reader->next(job); ++jobs) {
      fuzz::require(job.submitted >= before, "jobs come in the order of submission");
      before = job.submitted;
    }
  } catch (const std::runtime_error&) {
  }
  return 0;
}
