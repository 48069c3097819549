#pragma once

#include "model/base/random.hpp"
#include "model/jobs/forwarding_source.hpp"
#include "settings/schema/workload_settings.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace troupe {

/// Makes parallel jobs of another source moldable (`moldability`): a share of the gangs of two or
/// more equal tasks that have an estimate. The width that they have in the source is the requested
/// one; they are submitted with their least one.
class molding_source final : public forwarding_source {
public:
  /// `gangs`: all jobs of the source count as gangs, also those that it does not mark as such.
  molding_source(std::shared_ptr<job_source> of, moldable_settings by, bool gangs,
                 random_stream random)
    : forwarding_source(std::move(of)), by_(by), gangs_(gangs), seed_(random()) {}

  std::optional<job> next() override;

private:
  moldable_settings by_;
  bool gangs_;
  std::uint64_t seed_;
};

} // namespace troupe
