#include "actors/sparrow/probing/probe_rounds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace troupe {

std::size_t probe_round::with_room() const {
  return static_cast<std::size_t>(
    std::ranges::count_if(probes, [](const probe& p) { return p.length < 0; }));
}

std::vector<std::size_t> probe_round::shortest(bool of_all) const {
  std::vector<std::size_t> order(probes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto shorter = [&](std::size_t a, std::size_t b) {
    return probes[a].length < probes[b].length;
  };
  if (of_all) {
    std::ranges::stable_sort(order, shorter);
    order.resize(tasks.size());
    return order;
  }
  const auto each = static_cast<std::ptrdiff_t>(probes.size() / tasks.size());
  std::vector<std::size_t> chosen;
  for (auto first = order.begin(); chosen.size() < tasks.size(); first += each)
    chosen.push_back(*std::min_element(first, first + each, shorter));
  return chosen;
}

std::uint64_t probe_rounds::begin(probe_round round) {
  round.missing = round.probes.size();
  rounds_.emplace(++last_, std::move(round));
  return last_;
}

std::optional<probe_round> probe_rounds::answer(const probe_answer& answer) {
  const auto it = rounds_.find(answer.round);
  if (it == rounds_.end() || answer.index >= it->second.probes.size())
    return std::nullopt;
  auto& round = it->second;
  auto& asked = round.probes[answer.index];
  if (std::exchange(asked.answered, true))
    return std::nullopt;
  asked.length = answer.length;
  if (--round.missing > 0)
    return std::nullopt;
  return std::move(rounds_.extract(it).mapped());
}

std::vector<probe_answer> probe_rounds::owed_by(machine_id machine) const {
  std::vector<probe_answer> owed;
  for (const auto& [number, round] : rounds_)
    for (std::uint32_t i = 0; i < round.probes.size(); ++i)
      if (round.probes[i].machine == machine && !round.probes[i].answered)
        owed.push_back({number, i, std::numeric_limits<std::int32_t>::max()});
  std::ranges::sort(owed, {}, [](const probe_answer& a) { return std::pair{a.round, a.index}; });
  return owed;
}

} // namespace troupe
