#pragma once

#include "model/jobs/job_source.hpp"
#include "workload/generate/lublin_model.hpp"
#include "workload/generate/request.hpp"

#include <cstdint>

namespace troupe {

/// The jobs of the model of Lublin and Feitelson: parallel ones are gangs of as many tasks as they
/// have processors, all of which run for the job's run time. Their estimates are their run times
/// with the error of the settings.
class lublin_source final : public job_source {
public:
  lublin_source(const workload_settings& settings, random_stream random);

  std::optional<job> next() override;

private:
  lublin_model model_;
  lublin_arrivals arrivals_;
  request_sampler requests_;
  double estimate_error_;
  double duration_factor_;
  random_stream sizes_random_;
  random_stream runtimes_random_;
  random_stream requests_random_;
  random_stream estimates_random_;
  std::uint64_t left_; ///< jobs to come
  job_id next_id_ = 0;
};

} // namespace troupe
