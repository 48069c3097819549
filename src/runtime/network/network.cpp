#include "runtime/network/network.hpp"

#include <algorithm>

namespace troupe {

bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star))
    return false;
  const auto rest = pattern.substr(star + 1);
  for (auto i = star; i <= name.size(); ++i)
    if (matches(rest, name.substr(i)))
      return true;
  return false;
}

// -- channel ------------------------------------------------------------------------------------

channel::channel(random_stream random, const link_settings& settings, std::vector<network_cut> cuts,
                 std::uint64_t key, const ends& between, bool concurrent)
  : key_(key),
    settings_(&settings),
    cuts_(cuts.empty() ? nullptr : std::make_unique<std::vector<network_cut>>(std::move(cuts))),
    between_(&between),
    random_(random),
    mutex_(concurrent ? std::make_unique<std::mutex>() : nullptr),
    is_plain_(!concurrent && !cuts_ && settings.loss <= 0 && settings.jitter <= duration{0}) {}

std::optional<instant> channel::send_over_faults(instant now) {
  const auto guard = lock();
  if (loses(now))
    return std::nullopt;
  if (settings_->loss > 0 && random_.unit() < settings_->loss)
    return std::nullopt;
  return arrival(now);
}

instant channel::send_surely(instant now) {
  const auto guard = lock();
  while (const auto* cut = cut_at(now))
    now = cut->to;
  return arrival(now);
}

const network_cut* channel::cut_at(instant t) const {
  for (const auto& cut : cuts())
    if (cut.from <= t && t < cut.to && cut.loss >= 1)
      return &cut;
  return nullptr;
}

bool channel::loses(instant now) {
  bool lost = false;
  for (const auto& cut : cuts())
    if (cut.from <= now && now < cut.to && cut.loss > 0)
      lost = cut.loss >= 1 || random_.unit() < cut.loss || lost;
  return lost;
}

instant channel::arrival(instant now) {
  auto at = now + settings_->latency;
  for (const auto& cut : cuts())
    if (cut.from <= now && now < cut.to)
      at += cut.delay;
  if (settings_->jitter > duration{0})
    at += duration{static_cast<std::int64_t>(
      random_.below(static_cast<std::uint64_t>(settings_->jitter.count()) + 1))};
  return last_arrival_ = std::max(last_arrival_, at);
}

// -- network ------------------------------------------------------------------------------------

network::network(std::uint64_t seed, const link_settings& settings, std::vector<network_cut> cuts,
                 time_point origin, bool concurrent)
  : seed_(seed),
    settings_(settings),
    cuts_(std::move(cuts)),
    origin_(origin),
    concurrent_(concurrent) {}

channel& network::between(const std::string& from, const std::string& to) {
  const std::lock_guard guard{mutex_};
  const auto at = channels_.try_emplace({from, to}).first;
  auto& entry = at->second;
  if (!entry) {
    std::vector<network_cut> cuts;
    for (const auto& x : cuts_)
      if ((matches(x.a, from) && matches(x.b, to)) || (matches(x.a, to) && matches(x.b, from)))
        cuts.push_back(x);
    const auto key = random_stream::derive(0, from + '>' + to, 0)();
    entry = std::make_unique<channel>(random_stream::derive(seed_, "link", key), settings_,
                                      std::move(cuts), key, at->first, concurrent_);
  }
  return *entry;
}

} // namespace troupe
