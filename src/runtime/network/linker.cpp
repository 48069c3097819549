#include "runtime/network/linker.hpp"

namespace troupe {

std::string numbered(const char* role, std::size_t number) {
  return std::string{role} + "." + std::to_string(number);
}

linker::linker(caf::actor_system& system, const run_settings& settings, const run_clock& clock,
               bool virtual_time)
  : system_(system) {
  const auto& n = settings.network;
  const bool real = !virtual_time;
  const bool needed =
    n.latency > duration::zero() || n.jitter > duration::zero() || n.loss > 0 || !n.cuts.empty();
  if (real && !needed)
    return;
  std::vector<network_cut> cuts;
  for (const auto& c : n.cuts)
    cuts.push_back({c.from, c.to, c.a, c.b});
  network_ = std::make_shared<network>(settings.seed, link_settings{n.latency, n.jitter, n.loss},
                                       std::move(cuts), clock.origin, real);
}

} // namespace troupe
