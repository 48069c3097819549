#pragma once

#include "model/live/member_details.hpp"
#include "model/protocol/offers.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The answer of a scheduler to a question of the recorder.
struct scheduler_answer {
  scheduler_id number = 0;
  incarnation_id incarnation = 0;
  scheduler_sample sample; ///< of all groups of jobs together
  scheduler_details details;
};

/// The same of an owner.
struct owner_answer {
  owner_id number = 0;
  incarnation_id incarnation = 0;
  owner_sample sample;
  std::vector<partition_details> partitions;
};

/// One sample of the recorder, with the answer of each member. Silent members are not in it.
struct live_sample {
  instant from{0};
  instant to{0};
  std::vector<scheduler_sample> groups; ///< by group of jobs
  double utilization = 0;               ///< of the cluster, mean over the interval
  resource_uses resources{};            ///< of the cluster, over the interval
  bool detailed = true;                 ///< members were asked for details
  std::vector<scheduler_answer> schedulers;
  std::vector<owner_answer> owners;
  node_status nodes;   ///< since the start
  offer_sample offers; ///< over the interval
};

} // namespace troupe
