#include "workload/formats/google_events.hpp"
#include "workload/formats/header_columns.hpp"
#include "workload/formats/machine_builder.hpp"
#include "workload/formats/openb_reader.hpp"
#include "workload/formats/recorded_rows.hpp"
#include "workload/traces/text_files.hpp"
#include "workload/traces/trace_format.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace troupe {

namespace {

/// Reads the rows of a table; what one of them holds is up to `read_row`, which returns what is
/// wrong with it, if anything is.
template <class ReadRow>
void read_rows(const std::vector<std::string>& paths, trace_tally& tally, ReadRow read_row) {
  text_files text{paths};
  while (const auto line = text.next()) {
    if (line->empty())
      continue;
    tally.row();
    if (const char* wrong = read_row(*line))
      tally.malformed(text.path(), text.line(), wrong, std::string{wrong} + ", " + quote(*line));
  }
  tally.check_end(text.path());
}

constexpr const char* fits = nullptr;

machine_table read_google(const trace_files& files, const machine_trace_settings& settings) {
  using namespace google2011;
  machine_builder machines{settings};
  trace_tally tally{"a row of machine_events has 6 fields with commas between: time us, machine, "
                    "event type 0 .. 2, platform, CPUs, memory"};
  std::array<std::string_view, 6> x;
  std::map<std::string, std::uint64_t> events;
  const auto built = [&] {
    auto table = machines.build(files.machines.front(), tally);
    table.events = events;
    return table;
  };
  read_rows(files.machines, tally, [&](std::string_view line) {
    if (split(line, ',', x) != x.size())
      return "this row has not 6 fields";
    const auto time = to_time(x[0]);
    const auto type = to_integer(x[2]);
    if (!time || !type || *type < 0 || *type > 2 || x[1].empty())
      return "no time, machine and event type";
    ++events[machine_event_names[*type]];
    if (*time == after_window) {
      tally.skip("after the trace ended");
      return fits;
    }
    if (x[4].empty() || x[5].empty())
      ++events["without capacity"];
    const auto at = *time == 0 ? duration::min() : since_begin(*time);
    const std::string name{x[1]};
    if (static_cast<google2011::machine_event>(*type) == google2011::machine_event::remove) {
      machines.set(name, at, {});
      return fits;
    }
    if (x[4].empty() || x[5].empty()) {
      tally.skip("row without capacity");
      return fits;
    }
    const auto cpu = google2011::to_units(x[4]);
    const auto memory = google2011::to_units(x[5]);
    if (!cpu || !memory)
      return "no capacities";
    resources capacity;
    capacity[resource::cpu] = *cpu;
    capacity[resource::memory] = *memory;
    if (!x[3].empty())
      machines.describe(name, "platform", std::string{x[3]});
    machines.set(name, at, capacity);
    return fits;
  });
  if (files.attributes.empty())
    return built();
  trace_tally described{"a row of machine_attributes has 5 fields with commas between: time us, "
                        "machine, attribute, value, deleted 0 or 1"};
  read_rows(files.attributes, described, [&](std::string_view line) {
    if (split(line, ',', x) != 5)
      return "this row has not 5 fields";
    const auto at = to_time(x[0]);
    if (!at || x[1].empty() || x[2].empty())
      return "no time, machine and attribute";
    if (*at != 0 && (*at == after_window || since_begin(*at) > settings.from))
      return fits;
    if (x[4] == "1")
      machines.forget(std::string{x[1]}, std::string{x[2]});
    else
      machines.describe(std::string{x[1]}, std::string{x[2]}, std::string{x[3]});
    return fits;
  });
  return built();
}

machine_table read_alibaba(const trace_files& files, const machine_trace_settings& settings) {
  machine_builder machines{settings};
  trace_tally tally{"a row of machine_meta has 7 fields with commas between: machine_id, "
                    "time_stamp s, failure_domain_1, failure_domain_2, cpu_num, mem_size, status"};
  std::array<std::string_view, 7> x;
  std::map<std::string, std::int64_t> latest;
  read_rows(files.machines, tally, [&](std::string_view line) {
    if (split(line, ',', x) != x.size())
      return "this row has not 7 fields";
    const auto time = to_integer(x[1]);
    const auto cpu = to_number(x[4]);
    const auto memory = to_number(x[5]);
    if (!time || !cpu || !memory || x[0].empty() || *cpu < 0 || *cpu > 1e6 || *memory < 0 ||
        *memory > 1e6)
      return "no machine, time and capacities";
    if (x[6] != "USING") {
      tally.skip("machine not in use");
      return fits;
    }
    const std::string name{x[0]};
    const auto [known, added] = latest.try_emplace(name, *time);
    if (!added && *time < known->second) {
      tally.skip("older row of a machine");
      return fits;
    }
    known->second = *time;
    resources capacity;
    capacity[resource::cpu] = static_cast<std::int32_t>(std::lround(*cpu * 1000));
    capacity[resource::memory] = static_cast<std::int32_t>(std::lround(*memory * 1024));
    machines.describe(
      name, {{"failure_domain_1", std::string{x[2]}}, {"failure_domain_2", std::string{x[3]}}});
    machines.set(name, duration::min(), capacity);
    return fits;
  });
  return machines.build(files.machines.front(), tally);
}

machine_table read_openb(const trace_files& files, const machine_trace_settings& settings) {
  machine_builder machines{settings};
  const auto& path = files.machines.front();
  trace_tally tally{"a row of the nodes has as many fields as the header, with commas between"};
  std::optional<header_columns> row;
  text_reader text{path};
  const auto head = text.next();
  row.emplace(path, head ? *head : std::string_view{});
  const auto name = row->required("sn");
  const auto cpu = row->required("cpu_milli");
  const auto memory = row->required("memory_mib");
  const auto gpus = row->required("gpu");
  const auto model = row->find("model");
  constexpr std::int64_t most = 2'000'000'000;
  while (const auto line = text.next()) {
    if (line->empty())
      continue;
    tally.row();
    const bool complete = row->read(*line) == row->size();
    const auto amount = [&](std::size_t column, std::int64_t unit) -> std::int64_t {
      const auto x = to_integer((*row)[column]);
      return x && *x >= 0 && *x <= most / unit ? *x * unit : -1;
    };
    if (!complete || (*row)[name].empty() || amount(cpu, 1) < 0 || amount(memory, 1) < 0 ||
        amount(gpus, 1000) < 0) {
      tally.malformed(path, text.line(), "no node", quote(*line) + " is not a node");
      continue;
    }
    resources capacity;
    capacity[resource::cpu] = static_cast<std::int32_t>(amount(cpu, 1));
    capacity[resource::memory] = static_cast<std::int32_t>(amount(memory, 1));
    capacity[resource::gpu] = static_cast<std::int32_t>(amount(gpus, 1000));
    const std::string node{(*row)[name]};
    if (!(*row)[model].empty())
      machines.describe(node, "model", std::string{(*row)[model]});
    machines.set(node, duration::min(), capacity);
  }
  tally.check_end(path);
  return machines.build(path, tally);
}

machine_table read_alibaba2017(const trace_files& files, const machine_trace_settings& settings) {
  machine_builder machines{settings};
  trace_tally tally{"a row of server_event has 7 fields with commas between: timestamp s, "
                    "machine_id, event, detail, CPUs, memory 0 .. 1, disk 0 .. 1"};
  constexpr double mib = 100 * 1024; // as of a machine of 2018 whose memory is 100
  std::array<std::string_view, 7> x;
  read_rows(files.machines, tally, [&](std::string_view line) {
    if (split(line, ',', x) != x.size())
      return "this row has not 7 fields";
    if (!to_number(x[0]) || x[1].empty() || x[2].empty())
      return "no time, machine and event";
    if (x[2] != "add") {
      tally.skip("error of a machine");
      return fits;
    }
    const auto cpu = to_number(x[4]);
    const auto memory = to_number(x[5]);
    if (!cpu || !memory || *cpu < 0 || *cpu > 1e6 || *memory < 0 || *memory > 1e4)
      return "no capacities";
    resources capacity;
    capacity[resource::cpu] = static_cast<std::int32_t>(std::lround(*cpu * 1000));
    capacity[resource::memory] = static_cast<std::int32_t>(std::lround(*memory * mib));
    machines.set(std::string{x[1]}, duration::min(), capacity);
    return fits;
  });
  return machines.build(files.machines.front(), tally);
}

/// The number behind "; NAME:" in a header, or nothing.
std::optional<std::int64_t> header_number(std::string_view line, std::string_view name) {
  line.remove_prefix(1);
  if (take_field(line) != std::string{name} + ':')
    return std::nullopt;
  return to_integer(take_field(line));
}

machine_table read_swf(const trace_files& files, const machine_trace_settings& settings) {
  const auto& path = files.machines.front();
  std::int64_t nodes = 0;
  std::int64_t processors = 0;
  text_reader text{path};
  while (const auto line = text.next()) {
    if (!line->starts_with(';'))
      break;
    nodes = header_number(*line, "MaxNodes").value_or(nodes);
    processors = header_number(*line, "MaxProcs").value_or(processors);
  }
  if (nodes <= 0)
    nodes = processors;
  if (processors <= 0)
    processors = nodes;
  constexpr std::int64_t most = 10'000'000;
  if (processors < nodes || nodes <= 0 || nodes > most || processors > most)
    throw machines_unknown{path +
                           ": the header has neither '; MaxNodes: N' nor '; MaxProcs: N', with "
                           "no more nodes than processors, so the number of machines is unknown"};
  machine_builder machines{settings};
  trace_tally tally{""};
  for (std::int64_t i = 0; i < nodes; ++i) {
    tally.row();
    const auto own = processors / nodes + (i < processors % nodes ? 1 : 0);
    resources capacity;
    capacity[resource::slots] = static_cast<std::int32_t>(own);
    machines.set("node-" + std::to_string(i), duration::min(), capacity);
  }
  return machines.build(path, tally);
}

machine_table read_recorded_machines(const trace_files& files,
                                     const machine_trace_settings& settings) {
  std::vector<recorded_machine> lines; // in the order of the file, which need not be that of time
  trace_tally tally{
    "a line is a JSON object with a job or a machine, as 'troupe record' writes it"};
  const auto& path = files.machines.front();
  text_reader text{path};
  while (const auto line = text.next()) {
    if (line->empty())
      continue;
    tally.row();
    try {
      if (auto read = read_recorded(*line); read.machine)
        lines.push_back(std::move(*read.machine));
    } catch (const recording_fault& e) {
      tally.malformed(path, text.line(), "not a line of a recording", e.what());
    }
  }
  tally.check_end(path);
  if (lines.empty())
    throw machines_unknown{path + ": no line of the recording is about a machine, so the machines "
                                  "are unknown"};
  std::ranges::stable_sort(lines, {}, &recorded_machine::at_s);
  machine_builder machines{settings};
  for (const auto& m : lines) {
    if (!m.capacity.is_zero()) // a machine that leaves keeps its attributes
      machines.describe(m.name, m.attributes);
    machines.set(m.name, m.at_s == 0 ? duration::min() : from_seconds(m.at_s), m.capacity);
  }
  return machines.build(path, tally);
}

} // namespace

machine_table read_machines(const machine_trace_settings& settings) {
  const auto files = find_trace(settings.file, settings.format);
  if (files.machines.empty())
    throw std::runtime_error{settings.file + ": this holds no table of machines; expected "
                                             "machine_events, machine_meta, openb nodes, a SWF "
                                             "log with a header or a recording"};
  refuse_copies(files.machines);
  switch (files.format) {
  case trace_format::google2011:
    return read_google(files, settings);
  case trace_format::alibaba2018:
    return read_alibaba(files, settings);
  case trace_format::alibaba2017:
    return read_alibaba2017(files, settings);
  case trace_format::openb:
    return read_openb(files, settings);
  case trace_format::swf:
    return read_swf(files, settings);
  case trace_format::recorded:
    return read_recorded_machines(files, settings);
  case trace_format::automatic:
  case trace_format::tr:
    break;
  }
  throw std::runtime_error{settings.file + ": traces of the format tr have no machines"};
}

} // namespace troupe
