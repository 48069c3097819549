#include "runtime/swarm/draw.hpp"

#include "model/base/random.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/swarm/feasible.hpp"
#include "settings/toml/document.hpp"
#include "settings/toml/read.hpp"

#include <sstream>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::uint32_t most_tries = 1000;

std::string to_assignment(const swarm_choice& c) {
  return c.key + '=' + c.value;
}

/// Returns the number of groups in the text of a list of groups.
std::uint64_t groups_in(std::string_view list) {
  std::uint64_t n = 0;
  for (auto at = list.find("name"); at != std::string_view::npos; at = list.find("name", at + 1))
    ++n;
  return n;
}

class drawing {
public:
  drawing(std::uint64_t seed, std::uint32_t tries, swarm_mode mode)
    : random_(random_stream::derive(seed, "swarm", tries)), picks_(mode) {
    constexpr double densities[] = {0.03, 0.1, 0.2, 0.35};
    density_ = densities[random_.below(std::size(densities))];
  }

  std::vector<swarm_choice> take() {
    for (const auto& row : swarm_rows())
      take(row);
    for (const auto& row : plugin_rows())
      take(row);
    return std::move(choices_);
  }

private:
  void take(const swarm_row& row) {
    if (row.applies != nullptr && !row.applies(picks_))
      return;
    if (row.drawn != swarm_row::how::always && random_.unit() >= density_)
      return;
    std::vector<std::string_view> possible;
    for (const auto choice : row.choices)
      if (row.allows == nullptr || row.allows(picks_, choice))
        possible.push_back(choice);
    if (possible.empty())
      return;
    const std::string value{possible[random_.below(possible.size())]};
    picks_.set(std::string{row.key}, value);
    choices_.push_back({target(row), value, &row});
    if (row.key == "groups")
      groups_ = groups_in(value);
  }

  /// A row by group applies to all groups, or to one.
  std::string target(const swarm_row& row) {
    std::string key{row.key};
    if (row.drawn != swarm_row::how::by_group || groups_ == 0 || random_.below(3) == 0)
      return key;
    return "groups." + std::to_string(random_.below(groups_)) + '.' + key;
  }

  random_stream random_;
  swarm_picks picks_;
  double density_ = 0;
  std::uint64_t groups_ = 0;
  std::vector<swarm_choice> choices_;
};

} // namespace

run_settings swarm_settings(const std::vector<swarm_choice>& choices, std::uint64_t seed,
                            swarm_mode mode) {
  std::vector<std::string> overrides;
  for (const auto& c : choices)
    overrides.push_back(to_assignment(c));
  auto settings = parse_settings(swarm_base(), "swarm", overrides);
  settings.seed = seed;
  if (mode == swarm_mode::failing)
    settings.failures.watch = watch_kind::on;
  if (mode == swarm_mode::real) {
    settings.clock = clock_kind::real_time;
    settings.length = std::chrono::milliseconds{1200};
  }
  resolve_machines(settings);
  return settings;
}

swarm_draw draw_swarm(std::uint64_t seed, swarm_mode mode) {
  swarm_draw draw;
  draw.seed = seed;
  for (; draw.refused < most_tries; ++draw.refused) {
    draw.choices = drawing{seed, draw.refused, mode}.take();
    try {
      draw.settings = swarm_settings(draw.choices, seed, mode);
    } catch (const settings_error&) {
      continue;
    }
    if (why_hopeless(draw.settings).empty())
      return draw;
  }
  throw std::logic_error("no run can be drawn for seed " + std::to_string(seed));
}

std::string swarm_toml(const std::vector<swarm_choice>& choices) {
  document all{swarm_base(), "swarm"};
  for (const auto& c : choices)
    all.set(to_assignment(c));
  std::ostringstream text;
  text << all.root() << '\n';
  return text.str();
}

} // namespace troupe
