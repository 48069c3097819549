#pragma once

#include "model/base/random.hpp"

#include <boost/random/gamma_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe::testing {

/// A log in the Standard Workload Format, with rigid jobs like those of Lublin and Feitelson's
/// model (JPDC 2003). A quarter of them are serial, the others take about 2^u processors, most of
/// them few. Run times come from two gamma distributions of their logarithm and are longer for
/// large jobs. Jobs arrive in bursts. There are no daily cycles. The jobs take `load` of the
/// processors on average.
inline std::string lublin_log(std::uint32_t jobs, std::uint32_t processors, double load,
                              std::uint64_t seed = 1) {
  auto random = random_stream::derive(seed, "lublin", 0);
  const auto even = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(random.below(1 << 30)) / (1 << 30);
  };
  const auto gamma = [&](double shape, double scale) {
    return boost::random::gamma_distribution<>{shape, scale}(random);
  };
  struct row {
    std::uint32_t size;
    std::uint64_t seconds;
    double gap;
  };
  std::vector<row> rows;
  double work = 0;
  double gaps = 0;
  const double most = std::log2(processors);
  for (std::uint32_t i = 0; i < jobs; ++i) {
    double size = 1;
    if (even(0, 1) >= 0.24) {
      const double u = even(0, 1) < 0.86 ? even(0.8, most - 2.5) : even(most - 2.5, most);
      size = std::exp2(even(0, 1) < 0.75 ? std::round(u) : u);
    }
    const bool brief = even(0, 1) < 0.78 - 0.7 * size / processors;
    const double seconds = std::exp(brief ? gamma(4.2, 0.94) : gamma(312, 0.03));
    rows.push_back({static_cast<std::uint32_t>(std::clamp(std::round(size), 1.0, 1.0 * processors)),
                    static_cast<std::uint64_t>(std::clamp(seconds, 1.0, 1e6)), gamma(0.45, 1)});
    work += static_cast<double>(rows.back().size) * static_cast<double>(rows.back().seconds);
    gaps += rows.back().gap;
  }
  const double stretch = work / (processors * load) / gaps;
  auto text = "; MaxNodes: " + std::to_string(processors) +
              "\n; MaxProcs: " + std::to_string(processors) + "\n";
  double at = 0;
  std::uint32_t number = 0;
  for (const auto& r : rows) {
    at += r.gap * stretch;
    const auto size = std::to_string(r.size);
    text += std::to_string(++number) + " " + std::to_string(static_cast<std::uint64_t>(at)) +
            " -1 " + std::to_string(r.seconds) + " " + size + " -1 -1 " + size +
            " -1 -1 1 1 1 1 1 -1 -1 -1\n";
  }
  return text;
}

} // namespace troupe::testing
