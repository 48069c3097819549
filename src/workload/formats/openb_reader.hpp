#pragma once

#include "workload/formats/header_columns.hpp"
#include "workload/traces/text_reader.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_window.hpp"

#include <optional>

namespace troupe {

/// Reads the pods of Alibaba's GPU trace of 2023 (openb; Weng et al., Beware of Fragmentation,
/// USENIX ATC 2023): a table with a header that names its columns.
///
/// Each pod is a job of one task, which is submitted at the creation of the pod and runs from its
/// scheduling to its deletion. Pods that were never scheduled, or lack one of these times, are
/// skipped. A pod requests `num_gpu` times `gpu_milli` of GPU as one sum; the distribution over the
/// cards of a machine is not modelled. If `gpu_spec` names models, the machine must have one of
/// them. LS and Guaranteed have priority 2, Burstable 1, and BE 0.
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

/// Returns the GPU models that a specification like "A100|V100" allows, sorted, each once.
std::vector<std::string> gpu_models(std::string_view spec);

} // namespace troupe
