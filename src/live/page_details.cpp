#include "live/page_details.hpp"

#include "live/live_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace troupe {

namespace {

constexpr auto unknown = std::numeric_limits<double>::quiet_NaN();

std::uint64_t sum_of(const cause_counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// The numbers of the first `most` of `count` members, in the order of `before`, sorted by number.
template <class Before>
std::vector<std::size_t> first_of(std::size_t count, std::size_t most, Before before) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count > most) {
    std::ranges::stable_sort(all, before);
    all.resize(most);
    std::ranges::sort(all);
  }
  return all;
}

std::string life_text(const live_member& life) {
  return fmt::format("\"state\":\"{}\",\"takeovers\":{}", to_string(life.state), life.takeovers);
}

std::string scheduler_text(const live_state& state, std::size_t number) {
  const auto& s = state.schedulers[number];
  const auto& about = state.about;
  const auto group = number < about.group_of.size() ? about.group_of[number] : 0;
  const auto& name =
    about.pool > 0 || group >= about.groups.size() ? std::string{} : about.groups[group].name;
  const auto& last = state.series.recent();
  const auto seconds = last.empty() ? 0 : last.back().seconds();
  return fmt::format(
    R"({{"number":{},"group":{},"policy":{},{},"queued":{},"in_commit":{},"running":{},"oldest_s":{},)"
    R"("busy":{},"placed_per_s":{},"conflicts":{},"delay_mean_s":{},"delay_p99_s":{},)"
    R"("view_age_s":{}}})",
    number, live_quoted(name), live_quoted(s.policy), life_text(s.life), s.queued, s.in_commit,
    s.running, live_number(s.oldest), live_number(s.busy),
    live_number(seconds > 0 ? static_cast<double>(s.placed) / seconds : unknown),
    sum_of(s.conflicts), live_number(s.delay.count > 0 ? s.delay.mean : unknown),
    live_number(s.delay.count > 0 ? s.delay.p99 : unknown),
    live_number(s.age_max > 0 ? s.age_mean : unknown));
}

double use_of(const live_owner& o) {
  double most = unknown;
  for (const auto& r : o.resources)
    if (r.capacity > 0 && !(r.utilization() <= most))
      most = r.utilization();
  return most;
}

std::string owner_text(const live_state& state, std::size_t number) {
  const auto& o = state.owners[number];
  return fmt::format(
    R"({{"number":{},{},"machines":{},"running":{},"use":{},"granted":{},"refused":{}}})", number,
    life_text(o.life), o.machines, o.running, live_number(use_of(o)), o.granted, o.refused);
}

std::string node_text(const live_node& n) {
  std::string roles;
  for (const auto& role : n.roles)
    roles += (roles.empty() ? "" : ", ") + role;
  return fmt::format(
    R"({{"name":{},"roles":{},"state":{},"members":{},"machines":{},"running":{},"bytes_sent":{},)"
    R"("memory_bytes":{},"cpu_s":{}}})",
    live_quoted(n.name), live_quoted(roles), live_quoted(name_of(n.state)), n.members, n.machines,
    n.running, n.bytes_sent, n.memory_bytes, live_number(n.cpu_seconds));
}

template <class Render>
std::string list_text(std::string_view name, const std::vector<std::size_t>& which,
                      std::size_t count, Render render) {
  std::string text = fmt::format("\"{}\":{{\"count\":{},\"shown\":[", name, count);
  for (const auto number : which)
    text += (number == which.front() ? "" : ",") + render(number);
  return text + "]}";
}

/// The partitions in one cell.
std::size_t cell_size(const live_state& state, const page_limits& limits) {
  return std::max<std::size_t>(1, (state.partitions.size() + limits.cells - 1) / limits.cells);
}

/// The mean of what is known of the partitions of each cell, of the sum.
template <class Value>
std::string cells_text(const live_state& state, const page_limits& limits, bool add, Value value) {
  const auto each = cell_size(state, limits);
  std::string text = "[";
  for (std::size_t first = 0; first < state.partitions.size(); first += each) {
    double sum = 0;
    std::size_t known = 0;
    for (auto p = first; p < std::min(first + each, state.partitions.size()); ++p)
      if (const double x = value(p); x == x) {
        sum += x;
        ++known;
      }
    if (first > 0)
      text += ',';
    text +=
      known == 0 ? "null" : fmt::format("{:.3g}", add ? sum : sum / static_cast<double>(known));
  }
  return text + ']';
}

std::string partitions_text(const live_state& state, const page_limits& limits) {
  const auto& all = state.partitions;
  const auto if_known = [&](std::size_t p, double x) { return all[p].known ? x : unknown; };
  std::string text =
    fmt::format(R"("partitions":{{"count":{},"each":{})", all.size(), cell_size(state, limits));
  text += ",\"use\":" + cells_text(state, limits, false,
                                   [&](std::size_t p) { return if_known(p, all[p].use()); });
  text += ",\"refused\":" + cells_text(state, limits, true, [&](std::size_t p) {
            return if_known(p, static_cast<double>(sum_of(all[p].last.refused)));
          });
  text += ",\"granted\":" + cells_text(state, limits, true, [&](std::size_t p) {
            return if_known(p, static_cast<double>(all[p].last.granted));
          });
  text += ",\"age_s\":" + cells_text(state, limits, false, [&](std::size_t p) {
            return all[p].age_max > 0 ? all[p].age_mean : unknown;
          });
  text += ",\"owner\":" + cells_text(state, limits, false, [&](std::size_t p) {
            return all[p].owner ? static_cast<double>(*all[p].owner) : unknown;
          });
  return text + '}';
}

} // namespace

std::string page_details(const live_state& state, const page_limits& limits) {
  const auto& s = state.schedulers;
  const auto& o = state.owners;
  const auto urgent = first_of(s.size(), limits.schedulers, [&](std::size_t a, std::size_t b) {
    return s[a].queued != s[b].queued ? s[a].queued > s[b].queued : s[a].busy > s[b].busy;
  });
  const auto odd = first_of(o.size(), limits.owners, [&](std::size_t a, std::size_t b) {
    return (o[a].life.state != member_state::up) > (o[b].life.state != member_state::up);
  });
  const auto nodes =
    first_of(state.nodes.size(), limits.nodes, [](std::size_t a, std::size_t b) { return a < b; });
  return "{\"at_s\":" + live_number(to_seconds(state.now)) + ',' +
         list_text("schedulers", urgent, s.size(),
                   [&](std::size_t n) { return scheduler_text(state, n); }) +
         ',' +
         list_text("owners", odd, o.size(), [&](std::size_t n) { return owner_text(state, n); }) +
         ',' +
         list_text("nodes", nodes, state.nodes.size(),
                   [&](std::size_t n) { return node_text(state.nodes[n]); }) +
         ',' + partitions_text(state, limits) + '}';
}

std::string ages_of(const live_state& state, std::size_t scheduler, const page_limits& limits) {
  if (scheduler >= state.schedulers.size())
    return {};
  const auto& ages = state.schedulers[scheduler].ages_ms;
  return cells_text(state, limits, false,
                    [&](std::size_t p) { return p < ages.size() ? ages[p] / 1e3 : unknown; });
}

} // namespace troupe
