#pragma once

#include "nodes/client/cluster_source.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

namespace troupe {

/// Asks the gateway of the node that this process is; it forwards the questions to the nodes with
/// the master and with the workload.
class own_gateway final : public cluster_source {
public:
  own_gateway(caf::actor_system& system, caf::actor way) : system_(system), way_(std::move(way)) {}

  cluster_report status() override;
  live_report live(const live_request& asked) override;
  story_reply story(const story_request& asked) override;
  bool outlives_master() const override { return true; }

private:
  template <class Result, class... Words>
  Result ask(Words... words);

  caf::actor_system& system_;
  caf::actor way_;
};

} // namespace troupe
