#include "nodes/client/cluster_text.hpp"

#include "nodes/client/policies_text.hpp"
#include "nodes/registry/host_port.hpp"
#include "report/text/printable.hpp"
#include "report/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;
using text_row = std::vector<std::string>;

/// Up to this number, the members of a role are listed one by one.
constexpr std::size_t most_named = 4;

double seconds(duration d) {
  return std::chrono::duration<double>(d).count();
}

std::string address_of(const node_identity& who) {
  return address_text({who.host, who.port});
}

std::vector<std::string> roles_of(const node_roles& roles) {
  std::vector<std::string> names;
  const auto add = [&](bool has, const char* name) {
    if (has)
      names.emplace_back(name);
  };
  add(roles.master, "master");
  add(roles.workload, "workload");
  add(roles.owners > 0, "owner");
  add(roles.schedulers > 0, "scheduler");
  add(roles.machines > 0, "machine");
  add(roles.api, "api");
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::string memory_text(std::uint64_t bytes) {
  return fmt::format("{:.0f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string bytes_text(std::uint64_t bytes) {
  return compact_text(static_cast<double>(bytes)) + "B";
}

/// Returns how many of the places for a role have a member on a connected node.
std::size_t filled(const cluster_report& all, role what) {
  std::set<std::uint32_t> numbers;
  for (const auto& e : all.nodes.nodes)
    if (const auto* r = report_of(all, e); r != nullptr && e.present)
      for (const auto& m : r->members)
        if (m.what == what)
          numbers.insert(m.number);
  return numbers.size();
}

std::size_t places(const cluster_report& all, role what) {
  return static_cast<std::size_t>(std::ranges::count(all.places, what, &member_entry::what));
}

std::uint32_t machines_here(const cluster_report& all) {
  std::uint32_t n = 0;
  for (const auto& e : all.nodes.nodes)
    if (e.present)
      n += e.machines.count;
  return n;
}

/// The machines that the cluster is to have; of one that grows, those that have joined.
std::uint32_t machines_wanted(const cluster_report& all) {
  if (!all.grows)
    return all.machines;
  std::uint32_t n = 0;
  for (const auto& e : all.nodes.nodes)
    n += e.machines.count;
  return n;
}

const workload_progress* work_of(const cluster_report& all) {
  for (const auto& e : all.nodes.nodes)
    if (const auto* r = report_of(all, e); r != nullptr && r->work.runs)
      return &r->work;
  return nullptr;
}

bool has_workload(const cluster_report& all) {
  return std::ranges::any_of(all.nodes.nodes,
                             [](const node_entry& e) { return e.who.roles.workload; });
}

/// Returns the number of a node's machines, or its description if the node is one machine.
std::string machines_text(const node_entry& e) {
  if (!e.who.is_machine())
    return count_text(e.machines.count);
  const auto& c = e.who.machine.capacity;
  auto text = fmt::format("1: {:g} cores, {:.3g} GiB", c[resource::cpu] / 1000.0,
                          c[resource::memory] / 1024.0);
  if (c[resource::gpu] > 0)
    text += fmt::format(", {:g} cards", c[resource::gpu] / 1000.0);
  return text;
}

json machine_json(const machine_description& m) {
  return {{"cpu", m.capacity[resource::cpu] / 1000.0},
          {"memory_gib", m.capacity[resource::memory] / 1024.0},
          {"gpu", m.capacity[resource::gpu] / 1000.0},
          {"slots", m.capacity[resource::slots]},
          {"attributes", m.attributes}};
}

void write_line(std::ostream& out, const std::string& name, const std::string& text) {
  out << fmt::format("{:<11}{}\n", name, printable(text));
}

/// Columns are as wide as their longest entry; those in `right` are aligned to the right. Columns
/// beyond `page` continue below, after the first column again.
void write_table(std::ostream& out, std::vector<text_row> rows, const std::set<std::size_t>& right,
                 std::size_t page) {
  for (auto& r : rows)
    for (auto& text : r)
      text = printable(text);
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& r : rows)
    for (std::size_t i = 0; i < r.size(); ++i)
      widths[i] = std::max(widths[i], columns(r[i]));
  const auto write = [&](std::size_t from, std::size_t to) {
    for (const auto& r : rows) {
      std::string line;
      const auto add = [&](std::size_t i) {
        line += right.contains(i) ? fmt::format("{:>{}}  ", r[i], widths[i])
                                  : fmt::format("{:<{}}  ", r[i], widths[i]);
      };
      if (from > 0)
        add(0);
      for (auto i = from; i < to; ++i)
        add(i);
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << '\n';
    }
  };
  constexpr std::size_t gap = 2;
  std::size_t from = 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > from + (from == 0 ? 1 : 0) && used + widths[i] > page) {
      write(from, i);
      out << '\n';
      from = i;
      used = widths[0] + gap;
    }
    used += widths[i] + gap;
  }
  write(from, widths.size());
}

json work_json(const workload_progress& w) {
  return {{"runs", w.runs},           {"over", w.over},     {"time_s", seconds(w.at)},
          {"submitted", w.submitted}, {"placed", w.placed}, {"finished", w.finished},
          {"failed", w.failed},       {"queued", w.queued}, {"running", w.running},
          {"conflicts", w.conflicts}};
}

double in_ms(std::int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

/// Returns whether a node's clock is known to differ from that of the master's host by a
/// millisecond.
bool clocks_differ(const node_report& r) {
  return r.clock_known && std::abs(r.clock_ahead_ns) - r.clock_error_ns > 1'000'000;
}

/// Renders the traffic between nodes since their start, with that of nodes which have left.
std::string wire_text(const cluster_report& all, const workload_progress& work) {
  std::uint64_t bytes = all.bytes_of_left;
  std::uint64_t sync = all.sync_bytes_of_left;
  for (const auto& r : all.reports) {
    bytes += r.bytes_sent;
    sync += r.sync_bytes;
  }
  auto text = bytes_text(bytes) + " between nodes";
  if (work.placed > 0)
    text += ", " + count_text(bytes / work.placed) + " bytes for each task placed";
  if (bytes > 0)
    text += "; snapshots " + percent_text(static_cast<double>(sync) / static_cast<double>(bytes));
  return text;
}

} // namespace

node_presence state_of(const node_entry& node) {
  if (!node.present)
    return node_presence::gone;
  return node.draining ? node_presence::draining : node_presence::here;
}

const node_report* report_of(const cluster_report& all, const node_entry& node) {
  const auto it = std::ranges::find(all.reports, node.index, &node_report::index);
  return it == all.reports.end() ? nullptr : &*it;
}

bool is_empty(const node_report& report) {
  return report.draining && report.tasks_running == 0 &&
         std::ranges::none_of(report.members, [](const member_entry& m) {
           return m.what == role::owner || m.what == role::scheduler;
         });
}

std::string residents_text(const node_report& report) {
  std::string text;
  for (const auto what :
       {role::master, role::allocator, role::workload, role::owner, role::scheduler}) {
    std::vector<std::string> numbers;
    for (const auto& m : report.members)
      if (m.what == what)
        numbers.push_back(std::to_string(m.number));
    if (numbers.empty())
      continue;
    text += text.empty() ? "" : "; ";
    if (what == role::master || what == role::allocator)
      text += to_string(what);
    else if (numbers.size() > most_named)
      text += std::to_string(numbers.size()) + ' ' + to_string(what) + 's';
    else
      text += to_string(what) + ' ' + fmt::format("{}", fmt::join(numbers, ","));
  }
  return text.empty() ? "-" : text;
}

void write_status(std::ostream& out, const cluster_report& all) {
  const auto& nodes = all.nodes.nodes;
  write_line(
    out, "cluster",
    all.name + " (" + all.architecture + "), " +
      (all.origin == 0
         ? "not begun: " + (all.nodes.missing.empty() ? "something is missing" : all.nodes.missing)
         : "for " + seconds_text(seconds(all.now))));
  std::vector<std::string> counts;
  for (const auto state : {node_presence::here, node_presence::draining, node_presence::gone})
    if (const auto n = std::ranges::count(nodes, state, state_of); n > 0)
      counts.push_back(std::to_string(n) + ' ' + to_string(state));
  write_line(out, "nodes", fmt::format("{}", fmt::join(counts, ", ")));
  write_line(out, "machines",
             count_text(machines_here(all)) + " of " + count_text(machines_wanted(all)) +
               (all.grows ? "; at most " + count_text(all.machines) + " may join" : ""));
  for (const auto what : {role::owner, role::scheduler})
    if (places(all, what) > 0)
      write_line(out, to_string(what) + 's',
                 std::to_string(filled(all, what)) + " of " + std::to_string(places(all, what)));
  if (!all.policies.empty())
    write_line(out, "policy", policies_line(all));
  const auto* work = work_of(all);
  if (work == nullptr) {
    write_line(out, "workload", has_workload(all) ? "not started" : "none");
    return;
  }
  write_line(out, "workload",
             std::string{work->over ? "over after " : "runs for "} +
               seconds_text(seconds(work->at)));
  write_line(out, "tasks",
             count_text(work->submitted) + " submitted, " + count_text(work->placed) + " placed, " +
               count_text(work->finished) + " finished, " + count_text(work->failed) + " failed");
  write_line(out, "",
             count_text(work->queued) + " queued, " + count_text(work->running) + " running");
  write_line(out, "conflicts", count_text(work->conflicts));
  write_line(out, "wire", wire_text(all, *work));
}

void write_nodes(std::ostream& out, const cluster_report& all, std::size_t page) {
  std::vector<text_row> rows{{"node", "address", "pid", "roles", "lives there", "machines", "tasks",
                              "CPU", "memory", "sent", "state"}};
  const bool shows_clocks = std::ranges::any_of(all.reports, clocks_differ);
  if (shows_clocks)
    rows.front().insert(rows.front().end() - 1, "clock");
  for (const auto& e : all.nodes.nodes) {
    text_row r{e.who.name, address_of(e.who), std::to_string(e.who.pid),
               joined(roles_of(e.who.roles))};
    const auto* report = report_of(all, e);
    const bool known = report != nullptr && e.present;
    r.push_back(known ? residents_text(*report) : "-");
    r.push_back(machines_text(e));
    r.push_back(known ? count_text(report->tasks_running) : "-");
    r.push_back(known ? seconds_text(static_cast<double>(report->cpu_ms) / 1000) : "-");
    r.push_back(known ? memory_text(report->memory_bytes) : "-");
    r.push_back(known ? bytes_text(report->bytes_sent) : "-");
    if (shows_clocks)
      r.push_back(known && report->clock_known
                    ? fmt::format("{:+.2f} ms", in_ms(report->clock_ahead_ns))
                    : "-");
    r.push_back(to_string(state_of(e)));
    rows.push_back(std::move(r));
  }
  write_table(out, std::move(rows), {2, 5, 6, 7, 8, 9}, page);
}

json cluster_json(const cluster_report& all) {
  json nodes = json::array();
  for (const auto& e : all.nodes.nodes) {
    json n{{"name", e.who.name},
           {"address", address_of(e.who)},
           {"pid", e.who.pid},
           {"roles", roles_of(e.who.roles)},
           {"state", to_string(state_of(e))},
           {"machines", e.machines.count},
           {"first_machine", e.machines.first}};
    if (e.who.is_machine())
      n["machine"] = machine_json(e.who.machine);
    if (const auto* r = report_of(all, e)) {
      json members = json::array();
      for (const auto& m : r->members)
        members.push_back(
          {{"role", to_string(m.what)}, {"number", m.number}, {"incarnation", m.incarnation}});
      n["members"] = std::move(members);
      n["tasks_running"] = r->tasks_running;
      n["tasks_launched"] = r->launched;
      n["cpu_s"] = static_cast<double>(r->cpu_ms) / 1000;
      n["memory_bytes"] = r->memory_bytes;
      n["bytes_sent"] = r->bytes_sent;
      n["bytes_of_snapshots"] = r->sync_bytes;
      n["messages_sent"] = r->envelopes_sent;
      n["messages_dropped"] = r->envelopes_dropped;
      if (r->clock_known) {
        n["clock_ahead_ms"] = in_ms(r->clock_ahead_ns);
        n["clock_error_ms"] = in_ms(r->clock_error_ns);
      }
    }
    nodes.push_back(std::move(n));
  }
  json j{{"name", all.name},
         {"architecture", all.architecture},
         {"begun", all.origin != 0},
         {"missing", all.nodes.missing},
         {"time_s", seconds(all.now)},
         {"master_incarnation", all.master},
         {"machines", {{"wanted", machines_wanted(all)}, {"here", machines_here(all)}}}};
  if (all.grows)
    j["machines"]["most"] = all.machines;
  for (const auto what : {role::owner, role::scheduler})
    j[to_string(what) + 's'] = {{"wanted", places(all, what)}, {"here", filled(all, what)}};
  if (!all.policies.empty())
    for (const auto& [name, count] : policy_counts(all))
      j["policies"][name] = count;
  const auto* work = work_of(all);
  j["workload"] = work != nullptr ? work_json(*work) : json(nullptr);
  j["nodes"] = std::move(nodes);
  return j;
}

} // namespace troupe
