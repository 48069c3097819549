#include "nodes/execution/machine_history.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace troupe {

namespace {

/// How long a machine is away before it has left: one that is cut off, or whose node or keeper was
/// started again, is back sooner.
constexpr std::int64_t patience_ms = 10'000;

machine_row row_of(const named_machine& m, std::int64_t since_ms) {
  const auto& has = m.is.capacity;
  return {
    m.node,
    since_ms,
    0,
    has[resource::cpu],
    has[resource::memory],
    has[resource::gpu],
    has[resource::slots],
    nlohmann::json(m.is.attributes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

bool is_same(const machine_row& a, machine_row b) {
  b.since_ms = a.since_ms;
  return a == b;
}

} // namespace

machine_history::machine_history(const std::vector<machine_row>& open) {
  for (const auto& row : open)
    open_[row.node].row = row;
}

std::vector<machine_row> machine_history::look(const std::vector<named_machine>& all,
                                               std::int64_t now_ms) {
  std::vector<machine_row> changed;
  const auto close = [&](machine_row& row, std::int64_t until_ms) {
    row.until_ms = std::max(until_ms, row.since_ms);
    changed.push_back(row);
  };
  std::set<std::string> there;
  std::set<std::string> away;
  for (const auto& m : all) {
    if (!m.present) {
      away.insert(m.node);
      continue;
    }
    there.insert(m.node);
    auto& known = open_[m.node];
    auto made = row_of(m, now_ms);
    if (known.row.since_ms != 0 && !is_same(known.row, made)) {
      made.since_ms = std::max(made.since_ms, known.row.since_ms + 1); // a key of its own
      close(known.row, now_ms);
      known.row.since_ms = 0;
    }
    if (known.row.since_ms == 0) {
      known.row = made;
      changed.push_back(std::move(made));
    }
    known.seen = true;
    known.missed_since = 0;
  }
  for (auto it = open_.begin(); it != open_.end();) {
    auto& [node, known] = *it;
    bool is_over = false;
    if (!there.contains(node)) {
      if (known.missed_since == 0)
        known.missed_since = now_ms;
      const bool has_left = known.seen && !away.contains(node);
      is_over = has_left || now_ms - known.missed_since >= patience_ms;
    }
    if (is_over)
      close(known.row, known.missed_since);
    it = is_over ? open_.erase(it) : std::next(it);
  }
  return changed;
}

} // namespace troupe
