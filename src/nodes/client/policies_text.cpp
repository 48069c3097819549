#include "nodes/client/policies_text.hpp"

#include "nodes/client/cluster_text.hpp"
#include "policies/policy_text.hpp"
#include "policies/registry.hpp"
#include "report/text/printable.hpp"
#include "report/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace troupe {

namespace {

bool has_scheduler(const node_report& report, scheduler_id number) {
  return std::ranges::any_of(report.members, [&](const member_entry& m) {
    return m.what == role::scheduler && m.number == number;
  });
}

policy_row row_of(const cluster_report& all, const scheduler_policy& policy) {
  policy_row row{policy, policy_presence::away, "", ""};
  for (const auto& e : all.nodes.nodes) {
    const auto* report = e.present ? report_of(all, e) : nullptr;
    if (report == nullptr || !has_scheduler(*report, policy.scheduler))
      continue;
    row.node = e.who.name;
    row.state = policy.ordered ? policy_presence::pending : policy_presence::in_force;
    for (const auto& state : report->policies)
      if (state.scheduler == policy.scheduler && policy.ordered && state.at == policy.since) {
        row.why_not = state.why_not;
        row.state = state.why_not.empty() ? policy_presence::in_force : policy_presence::refused;
      }
    if (row.state == policy_presence::in_force)
      break; // a scheduler that has just moved may be in two reports
  }
  return row;
}

std::string state_text(const policy_row& row) {
  return to_string(row.state) + (row.why_not.empty() ? "" : ": " + row.why_not);
}

/// The cells of a row but the number.
std::vector<std::string> cells_of(const policy_row& row) {
  const auto& p = row.policy;
  return {p.group.empty() ? "-" : p.group, policy_text(p.policy),
          !p.changes ? "-" : seconds_text(to_seconds(p.since)),
          !p.changes  ? "-"
          : p.ordered ? "a client"
                      : "the settings",
          state_text(row)};
}

} // namespace

policy_table policies_of(const cluster_report& all) {
  policy_table table{all.now, {}};
  for (const auto& policy : all.policies)
    table.rows.push_back(row_of(all, policy));
  return table;
}

std::vector<std::pair<std::string, std::size_t>> policy_counts(const cluster_report& all) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const auto& p : all.policies) {
    const auto& name = p.policy.policy;
    const auto known = std::ranges::find(counts, name, [](const auto& c) { return c.first; });
    if (known == counts.end())
      counts.emplace_back(name, 1);
    else
      ++known->second;
  }
  return counts;
}

std::string policies_line(const cluster_report& all) {
  const auto counts = policy_counts(all);
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + name +
            (counts.size() > 1 ? ' ' + std::to_string(count) : std::string{});
  return text;
}

std::string numbers_text(const std::vector<scheduler_id>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    auto j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1)
      ++j;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (j > i)
      text += (j == i + 1 ? ", " : " to ") + std::to_string(numbers[j]);
    i = j + 1;
  }
  return text;
}

std::vector<std::string> overrides_of(const std::vector<policy_row>& policies) {
  const scheduler_policy* first = nullptr;
  for (const auto& row : policies) {
    const auto& p = row.policy;
    if (!p.changes)
      continue;
    if (!p.ordered || (first != nullptr && (p.policy.policy != first->policy.policy ||
                                            p.policy.settings != first->policy.settings)))
      return {};
    first = &p;
  }
  if (first == nullptr)
    return {};
  const auto& name = first->policy.policy;
  std::vector<std::string> overrides{"scheduler.policy=" + name};
  const auto* known = find_registered(plugin_kind::placement_policy, name);
  const auto table = known != nullptr && known->built_in() ? "policy." : "policy." + name + '.';
  for (const auto& setting : first->policy.settings)
    overrides.push_back(table + setting);
  return overrides;
}

void write_policies(std::ostream& out, const policy_table& all) {
  std::vector<std::vector<std::string>> table{
    {"schedulers", "group", "policy", "since", "by", "state"}};
  std::vector<scheduler_id> together;
  std::vector<std::string> alike;
  const auto end_row = [&] {
    if (together.empty())
      return;
    alike.insert(alike.begin(), numbers_text(together));
    table.push_back(std::move(alike));
    together.clear();
  };
  for (const auto& row : all.rows) {
    auto cells = cells_of(row);
    if (cells != alike)
      end_row();
    alike = std::move(cells);
    together.push_back(row.policy.scheduler);
  }
  end_row();
  std::vector<std::size_t> widths(table.front().size());
  for (auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], columns(row[i]));
    }
  for (const auto& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

} // namespace troupe
