#include "workload/traces/trace_window.hpp"

#include "model/base/random.hpp"
#include "workload/traces/longest_time.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325ULL; // FNV-1a
  for (char c : text)
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return random_stream::mix(h);
}

bool in_sample(std::uint64_t hash, double sample) {
  return sample >= 1 || static_cast<double>(hash >> 11) * 0x1.0p-53 < sample;
}

bool trace_window::holds(duration at, trace_tally& tally) const {
  if (at < settings_.from) {
    tally.skip("before the window");
    return false;
  }
  if (settings_.to > duration{0} && at >= settings_.to) {
    tally.skip("after the window");
    return false;
  }
  return true;
}

bool trace_window::keeps_hash(std::uint64_t hash, trace_tally& tally) const {
  if (in_sample(hash, settings_.sample))
    return true;
  tally.skip("not in the sample");
  return false;
}

bool trace_window::keeps(std::string_view name, trace_tally& tally) const {
  return settings_.sample >= 1 || keeps_hash(hash_of(name), tally);
}

bool trace_window::keeps(std::uint64_t number, trace_tally& tally) const {
  return settings_.sample >= 1 || keeps_hash(random_stream::mix(number), tally);
}

std::optional<instant> trace_window::shifted(duration at) const {
  const double since_start = to_seconds(at - settings_.from) / settings_.speedup;
  if (since_start > longest_seconds)
    return std::nullopt;
  return from_seconds(since_start);
}

duration trace_window::stretched(duration d) const {
  return from_seconds(std::min(to_seconds(d) / settings_.speedup, longest_seconds));
}

duration trace_window::shortened(duration d) const {
  if (settings_.max_duration > duration{0})
    d = std::min(d, settings_.max_duration);
  if (settings_.duration_speedup != 1)
    d = from_seconds(std::min(to_seconds(d) / settings_.duration_speedup, longest_seconds));
  return std::max(d, duration{1});
}

void trace_window::check_end(const std::string& path, const trace_tally& tally) const {
  tally.check_end(path);
  if (tally.used() == 0)
    throw std::runtime_error{
      path + ": no row is submitted in the window of [workload.trace], from " +
      to_string(settings_.from) +
      (settings_.to > duration{0} ? " to " + to_string(settings_.to) : " to the end")};
}

} // namespace troupe
