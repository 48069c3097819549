#include "workload/generate/lublin_model.hpp"

#include "workload/traces/longest_time.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/random/gamma_distribution.hpp>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

/// Longer run times and times between jobs are drawn again.
constexpr double longest_runtime = 12;      // ln s
constexpr double longest_interarrival = 13; // ln s

constexpr double half_hour_s = 1800; // s

/// The day of the distribution over the hours begins with this half hour.
constexpr int first_slot = 11;

constexpr lublin_parameters of_batch_jobs{.serial = 0.2927,
                                          .power_of_two = 0.6686,
                                          .low = 1.2,
                                          .medium_below = 2,
                                          .high_below = 0,
                                          .first = 0.875,
                                          .a1 = 6.57,
                                          .b1 = 0.823,
                                          .a2 = 639.1,
                                          .b2 = 0.0156,
                                          .slope = -0.003,
                                          .offset = 0.6986,
                                          .arrival_a = 6.0415,
                                          .arrival_b = 0.8531,
                                          .arrival_all = 1.0519,
                                          .day_a = 6.1271,
                                          .day_b = 5.2740};

constexpr lublin_parameters of_interactive_jobs{.serial = 0.1541,
                                                .power_of_two = 0.625,
                                                .low = 1,
                                                .medium_below = 4,
                                                .high_below = 1.5,
                                                .first = 0.705,
                                                .a1 = 3.8351,
                                                .b1 = 0.6605,
                                                .a2 = 7.073,
                                                .b2 = 0.6856,
                                                .slope = -0.0118,
                                                .offset = 0.9156,
                                                .arrival_a = 6.5510,
                                                .arrival_b = 0.6621,
                                                .arrival_all = 0.9797,
                                                .day_a = 8.9186,
                                                .day_b = 3.6680};

constexpr lublin_parameters of_all_jobs{.serial = 0.244,
                                        .power_of_two = 0.576,
                                        .low = 0.8,
                                        .medium_below = 2.5,
                                        .high_below = 0,
                                        .first = 0.86,
                                        .a1 = 4.2,
                                        .b1 = 0.94,
                                        .a2 = 312,
                                        .b2 = 0.03,
                                        .slope = -0.0054,
                                        .offset = 0.78,
                                        .arrival_a = 10.2303,
                                        .arrival_b = 0.4871,
                                        .arrival_all = 1.0225,
                                        .day_a = 8.1737,
                                        .day_b = 3.9631};

double draw_gamma(double shape, double scale, random_stream& random) {
  return boost::random::gamma_distribution<double>{shape, scale}(random);
}

} // namespace

const lublin_parameters& lublin_parameters_of(lublin_jobs kind) {
  switch (kind) {
  case lublin_jobs::batch:
    return of_batch_jobs;
  case lublin_jobs::interactive:
    return of_interactive_jobs;
  case lublin_jobs::all:
    break;
  }
  return of_all_jobs;
}

lublin_model::lublin_model(lublin_jobs kind, std::uint32_t processors)
  : with_(lublin_parameters_of(kind)), processors_(processors) {
  const double size = std::log2(processors);
  high_ = std::max(size - with_.high_below, 1.0);
  low_ = std::min(with_.low, high_);
  medium_ = std::clamp(size - with_.medium_below, low_, high_);
}

std::uint32_t lublin_model::draw_size(random_stream& random) const {
  const double kind = random.unit();
  if (kind < with_.serial)
    return 1;
  const bool first = random.unit() < with_.first;
  const double from = first ? low_ : medium_;
  const double to = first ? medium_ : high_;
  double log2 = from + (to - from) * random.unit();
  if (kind < with_.serial + with_.power_of_two)
    log2 = std::round(log2);
  const auto size = static_cast<std::uint32_t>(std::llround(std::exp2(log2)));
  return std::min(size, processors_);
}

duration lublin_model::draw_runtime(std::uint32_t size, random_stream& random) const {
  const double p = std::clamp(with_.slope * size + with_.offset, 0.0, 1.0);
  double log = 0;
  do {
    const bool first = random.unit() < p;
    log = draw_gamma(first ? with_.a1 : with_.a2, first ? with_.b1 : with_.b2, random);
  } while (log > longest_runtime);
  return from_seconds(std::exp(log));
}

std::array<double, 48> lublin_arrivals::speeds_of(const lublin_parameters& with) {
  std::array<double, 48> speeds{};
  const auto below = [&](double slot) {
    return boost::math::gamma_p(with.day_a, slot / with.day_b);
  };
  double sum = 0;
  for (int slot = first_slot; slot < first_slot + 48; ++slot) {
    const double share = below(slot + 0.5) - below(slot - 0.5);
    speeds[static_cast<std::size_t>((slot - 1) % 48)] = share;
    sum += share;
  }
  for (auto& s : speeds)
    s *= 48 / sum;
  return speeds;
}

lublin_arrivals::lublin_arrivals(lublin_jobs kind, double factor, duration time_of_day,
                                 random_stream random)
  : with_(lublin_parameters_of(kind)),
    factor_(factor),
    random_(random),
    speeds_(speeds_of(with_)),
    slot_(static_cast<std::size_t>(to_seconds(time_of_day) / half_hour_s) % 48),
    left_(half_hour_s - std::fmod(to_seconds(time_of_day), half_hour_s)) {}

instant lublin_arrivals::next() {
  double log = 0;
  do
    log = draw_gamma(with_.arrival_a * with_.arrival_all, with_.arrival_b, random_);
  while (log > longest_interarrival);
  double until = factor_ * std::exp(log); // the next job, at the mean speed
  while (until > left_ * speeds_[slot_] && now_ < longest_seconds) {
    until -= left_ * speeds_[slot_];
    now_ += left_;
    left_ = half_hour_s;
    slot_ = (slot_ + 1) % 48;
  }
  const double passed = until / speeds_[slot_];
  now_ += passed;
  left_ -= passed;
  return from_seconds(std::min(now_, longest_seconds));
}

} // namespace troupe
