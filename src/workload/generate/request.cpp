#include "workload/generate/request.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace troupe {

namespace {

std::int32_t to_units(double amount, double units) {
  return static_cast<std::int32_t>(std::lround(amount * units));
}

resources to_demand(const request_settings& request) {
  resources demand;
  demand[resource::cpu] = to_units(request.cpu, 1000);
  demand[resource::memory] = to_units(request.memory, 1024);
  demand[resource::gpu] = to_units(request.gpu, 1000);
  demand[resource::slots] = request.slots;
  return demand.is_zero() ? resources::of_slots(1) : demand;
}

} // namespace

request_sampler::request_sampler(const workload_settings& settings) {
  auto requests = settings.requests;
  if (requests.empty())
    requests.push_back({1, settings.cpu, settings.memory, settings.gpu, settings.slots});
  double sum = 0;
  for (const auto& asked : requests) {
    if (!(asked.weight >= 0))
      throw std::invalid_argument{"the weight of a request must not be negative"};
    sum += asked.weight;
    auto& known = requests_.emplace_back();
    known.demand = to_demand(asked);
    for (const auto& text : asked.constraints)
      known.constraints.push_back(parse_constraint(text));
    weights_.push_back(sum);
  }
  if (!(sum > 0))
    throw std::invalid_argument{"the weights of the requests must add up to more than 0"};
}

const request_sampler::request& request_sampler::draw(random_stream& random) const {
  const double x = random.unit() * weights_.back();
  const auto at = std::upper_bound(weights_.begin(), weights_.end() - 1, x);
  return requests_[static_cast<std::size_t>(at - weights_.begin())];
}

} // namespace troupe
