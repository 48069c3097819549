#include "model/discipline/start_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace troupe {

namespace {

double score_of(const start_request& what, const start_ordering& by, instant now) {
  const auto& f = by.factors;
  const double age = std::min(1.0, to_seconds(now - what.submitted) / to_seconds(f.max_age));
  double score =
    f.age * age + f.size * dominant_share(what.need, by.cluster) + f.priority * what.priority;
  if (f.share > 0)
    score += f.share * (by.use_of ? std::exp2(-by.use_of(what.tenant)) : 1);
  return score;
}

/// Submissions less their priorities' worth of waiting. Where that is beyond the ends of time,
/// which is not an instant, priorities decide.
void rank_with_aging(start_rank& rank, const start_request& what, duration aging) {
  std::int64_t worth = 0;
  if (!__builtin_mul_overflow(std::int64_t{what.priority}, aging.count(), &worth) &&
      !__builtin_sub_overflow(what.submitted.count(), worth, &rank.major))
    return;
  using limits = std::numeric_limits<std::int64_t>;
  rank.major = what.priority > 0 ? limits::min() : limits::max();
  rank.minor = -std::int64_t{what.priority};
}

} // namespace

start_rank rank_of(const start_request& what, const start_ordering& by, instant now) {
  start_rank rank{-std::int64_t{what.priority}, 0, what.submitted, what.first};
  switch (by.order) {
  case start_order::fcfs:
    if (by.aging > duration::zero())
      rank_with_aging(rank, what, by.aging);
    break;
  case start_order::shortest:
    rank.minor = what.length().count();
    break;
  case start_order::widest:
    rank.minor = -std::int64_t{what.tasks};
    break;
  case start_order::multifactor:
    rank.major = -std::llround(std::clamp(score_of(what, by, now), -1e11, 1e11) * 1e6);
    break;
  }
  return rank;
}

} // namespace troupe
