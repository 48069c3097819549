#pragma once

#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "workload/traces/trace_tally.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The rows of Alibaba's tables of batch tasks.
namespace troupe {

/// The layouts of such tables.
enum class alibaba_layout : std::uint8_t {
  v2018, ///< cluster-trace-v2018: nine columns
  spar,  ///< the same trace as Spar writes it (Tian, Zheng, Wang, SoCC 2019): seven columns
  v2017, ///< cluster-trace-v2017: eight columns
};

/// Returns the layout for a table's first row, by its number of columns. The default is the layout
/// of 2018.
alibaba_layout alibaba_layout_of(std::string_view row);

/// Describes the format of a row.
std::string alibaba_row_format(alibaba_layout layout);

/// A task of a batch job, with as many equal instances.
struct alibaba_row {
  std::string job;
  std::string task;
  std::uint32_t instances = 0;
  duration start{0};
  duration length{0};
  resources demand;
  std::uint32_t file = 0; ///< number of its file, from 0
  std::uint64_t line = 0; ///< number of its line in the file
};

/// Reads a row into `row`, except its file and line; `path` is for messages. If the row is
/// unusable, counts it in `tally` by reason and returns false.
bool read_alibaba_row(std::string_view line, alibaba_layout layout, const std::string& path,
                      alibaba_row& row, trace_tally& tally);

/// Writes a row into bytes, and reads it back.
void append_bytes(std::string& to, const alibaba_row& row);
void take_bytes(std::string_view bytes, alibaba_row& row);

} // namespace troupe
