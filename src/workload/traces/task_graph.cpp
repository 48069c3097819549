#include "workload/traces/task_graph.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t longest_name = 50;

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Takes a number off the front of `rest`, or nothing.
std::optional<std::uint32_t> take_number(std::string_view& rest) {
  std::uint32_t x = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), x);
  if (error != std::errc{})
    return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return x;
}

/// Takes "Stg7" or "_Stg7" off the front of `rest`.
void take_stage(std::string_view& rest) {
  auto after = rest.starts_with('_') ? rest.substr(1) : rest;
  if (!after.starts_with("Stg"))
    return;
  after.remove_prefix(3);
  if (take_number(after))
    rest = after;
}

} // namespace

std::optional<task_name> parse_task_name(std::string_view name) {
  auto rest = name;
  while (!rest.empty() && is_letter(rest.front()))
    rest.remove_prefix(1);
  if (rest.size() == name.size())
    return std::nullopt;
  const auto own = take_number(rest);
  if (!own)
    return std::nullopt;
  task_name found{*own};
  while (rest.size() > 1 && rest.front() == '_') {
    auto after = rest.substr(1);
    const auto parent = take_number(after);
    if (!parent)
      break;
    found.parents.push_back(*parent);
    rest = after;
  }
  take_stage(rest);
  if (rest == "_")
    rest = {};
  if (!rest.empty() && name.size() < longest_name)
    return std::nullopt;
  if (name.size() >= longest_name && !found.parents.empty())
    found.parents.pop_back();
  return found;
}

task_graph task_graph::of(const std::vector<std::optional<task_name>>& names) {
  task_graph graph;
  const auto n = static_cast<std::uint32_t>(names.size());
  graph.parents.resize(n);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_number; // and their places
  for (std::uint32_t i = 0; i < n; ++i)
    if (names[i])
      by_number.emplace_back(names[i]->number, i);
  std::ranges::sort(by_number);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!names[i])
      continue;
    for (auto number : names[i]->parents) {
      const auto with =
        std::ranges::equal_range(by_number, number, {}, &decltype(by_number)::value_type::first);
      graph.unknown += with.empty();
      for (const auto& [_, parent] : with)
        if (parent == i)
          ++graph.circular;
        else
          graph.parents[i].push_back(parent);
    }
    std::ranges::sort(graph.parents[i]);
    const auto [end, last] = std::ranges::unique(graph.parents[i]);
    graph.parents[i].erase(end, last);
  }
  std::vector<bool> placed(n);
  while (graph.order.size() < n) {
    const auto before = graph.order.size();
    for (std::uint32_t i = 0; i < n; ++i)
      if (!placed[i] && std::ranges::all_of(graph.parents[i], [&](auto p) { return placed[p]; })) {
        placed[i] = true;
        graph.order.push_back(i);
      }
    if (graph.order.size() > before)
      continue;
    const auto stuck = static_cast<std::size_t>(std::ranges::find(placed, false) - placed.begin());
    graph.circular += static_cast<std::uint32_t>(
      std::erase_if(graph.parents[stuck], [&](auto p) { return !placed[p]; }));
  }
  return graph;
}

} // namespace troupe
