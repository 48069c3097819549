#pragma once

#include "workload/header_columns.hpp"
#include "workload/text_reader.hpp"
#include "workload/trace_reader.hpp"
#include "workload/trace_window.hpp"

#include <optional>

namespace troupe {

/// Reads the pods of Alibaba's GPU trace of 2023 (openb; Weng et al., Beware of Fragmentation,
/// USENIX ATC 2023): a table with a header that names its columns.
///
/// Each pod is a job of one task, submitted at its creation, that runs from when it was scheduled
/// until it was deleted; pods that were never scheduled, or of which one of the times is missing,
/// are left out. It asks for `num_gpu` times `gpu_milli` of GPU, as one sum: how that is spread
/// over the cards of a machine is not modelled. Where `gpu_spec` names models, one of them is
/// demanded. LS and Guaranteed have priority 2, Burstable 1, and BE 0.
class openb_reader final : public trace_reader {
public:
  /// Throws like `text_reader`, and `std::runtime_error` if the header lacks a column.
  openb_reader(const std::string& path, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }
  bool in_order() const override { return false; }

private:
  bool read_row(std::string_view line, trace_job& job);

  text_reader text_;
  trace_window window_;
  trace_tally tally_;
  header_columns row_;
  std::size_t name_, cpu_, memory_, gpus_, gpu_milli_, spec_, qos_, created_, deleted_, scheduled_;
};

/// The models of GPU that a specification like "A100|V100" allows, sorted, each once.
std::vector<std::string> gpu_models(std::string_view spec);

} // namespace troupe
