#include "runtime/cluster/windows_of.hpp"

#include "workload/formats/window_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

namespace {

[[noreturn]] void fail(const window_row& row, const std::string& why) {
  throw std::runtime_error{row.at + ": " + why};
}

/// A cluster that runs commands has no start that a time could count from.
void check_times(const window_row& row, const run_settings& settings) {
  if (row.utc == settings.runs_commands())
    return;
  fail(row, row.utc ? "times in UTC; expected the columns start_s and end_s, in seconds since the "
                      "start of the run"
                    : "times since the start of a run; expected the columns start and end, in UTC, "
                      "as workload.kind = \"jobs\"");
}

std::optional<std::uint32_t> tenant_of(const window_row& row, const run_settings& settings) {
  if (row.tenant.empty())
    return std::nullopt;
  std::string known;
  for (std::uint32_t t = 0; t < settings.tenants.size(); ++t) {
    if (settings.tenants[t].name == row.tenant)
      return t;
    known += (known.empty() ? "" : ", ") + settings.tenants[t].name;
  }
  fail(row, "tenant \"" + row.tenant + "\"; expected " +
              (known.empty() ? "one of [[tenants]] of the settings, which have none"
                             : "one of those of the settings: " + known));
}

std::vector<machine_id> named_by(const window_row& row, const catalog& machines) {
  std::vector<machine_id> all;
  const auto check = [&](const char* what, std::uint32_t last, std::uint32_t there) {
    if (last >= there)
      fail(row, std::string{what} + ' ' + std::to_string(last) + "; expected 0 .. " +
                  std::to_string(there - 1));
  };
  for (const auto& [first, last] : row.machines) {
    check("machine", last, machines.machines());
    for (auto m = first; m <= last; ++m)
      all.push_back(m);
  }
  for (const auto& [first, last] : row.partitions) {
    check("partition", last, machines.partitions());
    for (auto p = first; p <= last; ++p)
      for (const auto m : machines.members(p))
        all.push_back(m);
  }
  return all;
}

void take_any(const window_row& row, machine_window& window,
              const std::vector<machine_window>& others, const catalog& machines) {
  std::vector<bool> taken(machines.machines());
  for (const auto& w : others)
    if (w.from < window.to && window.from < w.to)
      for (const auto m : w.machines)
        taken[m] = true;
  for (auto m = machines.machines(); m-- > 0 && window.machines.size() < row.count;)
    if (!taken[m])
      window.machines.push_back(m);
  if (window.machines.size() < row.count)
    fail(row, "count " + std::to_string(row.count) + "; expected at most " +
                std::to_string(window.machines.size()) +
                ", the machines that are in no other window then");
}

} // namespace

std::shared_ptr<const machine_windows> windows_of(const run_settings& settings,
                                                  const catalog& machines,
                                                  std::shared_ptr<const run_begin> begin) {
  if (settings.cluster.windows.empty())
    return nullptr;
  const auto rows = read_windows(settings.cluster.windows);
  for (const auto& row : rows)
    check_times(row, settings);
  std::vector<machine_window> windows;
  for (const auto& row : rows)
    windows.push_back({row.from, row.to, tenant_of(row, settings), named_by(row, machines)});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].count > 0)
      take_any(rows[i], windows[i], windows, machines);
  return std::make_shared<const machine_windows>(windows, machines.machines(), std::move(begin));
}

} // namespace troupe
