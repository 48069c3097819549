#pragma once

#include "model/resources.hpp"
#include "model/time.hpp"
#include "workload/trace_tally.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The rows of Alibaba's tables of batch tasks.
namespace troupe {

/// How the rows of such a table are laid out.
enum class alibaba_layout : std::uint8_t {
  v2018, ///< cluster-trace-v2018: nine columns
  spar,  ///< of that trace, as Spar writes it (Tian, Zheng, Wang, SoCC 2019): seven columns
  v2017, ///< cluster-trace-v2017: eight columns
};

/// Tells the layout by a table's first row: by how many columns it has. One with another number of
/// columns is taken for a table of 2018.
alibaba_layout alibaba_layout_of(std::string_view row);

/// Says what a row should look like.
std::string alibaba_row_format(alibaba_layout layout);

/// A task of a batch job, with as many equal instances.
struct alibaba_row {
  std::string job;
  std::string task;
  std::uint32_t instances = 0;
  duration start{0};
  duration length{0};
  resources demand;
  std::uint32_t file = 0; ///< where it stands: in which of the files, from 0
  std::uint64_t line = 0; ///< there
};

/// Reads a row into `row`, all but where it stands; `path` is for messages. Returns false, and
/// counts the row in `tally` by reason, if it cannot be used.
bool read_alibaba_row(std::string_view line, alibaba_layout layout, const std::string& path,
                      alibaba_row& row, trace_tally& tally);

/// Writes a row into bytes, and reads it back.
void append_bytes(std::string& to, const alibaba_row& row);
void take_bytes(std::string_view bytes, alibaba_row& row);

} // namespace troupe
