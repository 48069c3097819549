#include "workload/formats/recorded_rows.hpp"

#include "workload/traces/longest_time.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace troupe {

namespace {

using json = nlohmann::json;
using ordered = nlohmann::ordered_json;

constexpr resource kinds[] = {resource::cpu, resource::memory, resource::gpu, resource::slots};

ordered amounts_json(const resources& r) {
  ordered out = ordered::object();
  for (const auto kind : kinds)
    if (r[kind] != 0)
      out[std::string{resource_name(kind)}] = r[kind];
  return out;
}

const json& member(const json& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end())
    throw recording_fault{std::string{"there is no member \""} + name + '"'};
  return *it;
}

double time_in(const json& object, const char* name) {
  const auto& x = member(object, name);
  if (!x.is_number() || !(x.get<double>() >= 0) || x.get<double>() > longest_seconds)
    throw recording_fault{std::string{name} + ' ' + x.dump() +
                          " is not a number of seconds in 0 .. 1000000000"};
  return x.get<double>();
}

template <class Integer>
Integer integer_in(const json& x, const std::string& name, std::int64_t least) {
  const bool huge = x.is_number_unsigned() && x.get<std::uint64_t>() >> 63 != 0;
  if (!x.is_number_integer() || huge || x.get<std::int64_t>() < least ||
      x.get<std::int64_t>() > std::numeric_limits<Integer>::max())
    throw recording_fault{name + ' ' + x.dump() + " is not a whole number in " +
                          std::to_string(least) + " .. " +
                          std::to_string(std::numeric_limits<Integer>::max())};
  return x.get<Integer>();
}

std::string text_in(const json& object, const char* name) {
  const auto& x = member(object, name);
  if (!x.is_string() || x.get_ref<const std::string&>().empty())
    throw recording_fault{std::string{name} + ' ' + x.dump() + " is not a text"};
  return x.get<std::string>();
}

const json& array_in(const json& object, const char* name) {
  const auto& x = member(object, name);
  if (!x.is_array())
    throw recording_fault{std::string{name} + " is not an array"};
  return x;
}

resources amounts_in(const json& object, const char* name) {
  const auto& x = member(object, name);
  if (!x.is_object())
    throw recording_fault{std::string{name} + " is not an object"};
  resources r;
  std::size_t known = 0;
  for (const auto kind : kinds)
    if (const std::string what{resource_name(kind)}; x.contains(what)) {
      r[kind] = integer_in<std::int32_t>(x[what], what, 0);
      ++known;
    }
  if (known != x.size())
    throw recording_fault{std::string{name} +
                          " has a member that is none of cpu, memory, gpu and slots"};
  return r;
}

recorded_group group_in(const json& object, std::size_t number) {
  if (!object.is_object())
    throw recording_fault{"a group is not an object"};
  recorded_group g;
  g.demand = amounts_in(object, "demand");
  if (g.demand.is_zero())
    throw recording_fault{"a group asks for nothing"};
  for (const auto& x : array_in(object, "durations_s")) {
    const json wrapped{{"duration", x}};
    g.durations_s.push_back(time_in(wrapped, "duration"));
  }
  if (g.durations_s.empty())
    throw recording_fault{"a group has no tasks"};
  if (object.contains("constraints"))
    for (const auto& x : array_in(object, "constraints")) {
      if (!x.is_string())
        throw recording_fault{"a constraint is not a text"};
      try {
        g.constraints.push_back(parse_constraint(x.get<std::string>()));
      } catch (const std::invalid_argument& e) {
        throw recording_fault{e.what()};
      }
    }
  if (object.contains("after"))
    for (const auto& x : array_in(object, "after")) {
      g.after.push_back(integer_in<std::uint32_t>(x, "after", 0));
      if (g.after.back() >= number)
        throw recording_fault{"a group waits for one that is not before it"};
    }
  return g;
}

recorded_job job_in(const json& line) {
  recorded_job job;
  job.name = text_in(line, "job");
  job.at_s = time_in(line, "at_s");
  if (line.contains("priority"))
    job.priority = integer_in<std::int32_t>(line["priority"], "priority",
                                            std::numeric_limits<std::int32_t>::min());
  if (line.contains("gang")) {
    if (!line["gang"].is_boolean())
      throw recording_fault{"gang is neither true nor false"};
    job.gang = line["gang"];
  }
  if (line.contains("tenant"))
    job.tenant = text_in(line, "tenant");
  for (const auto& group : array_in(line, "groups"))
    job.groups.push_back(group_in(group, job.groups.size()));
  if (job.groups.empty())
    throw recording_fault{"a job has no groups"};
  return job;
}

recorded_machine machine_in(const json& line) {
  recorded_machine machine;
  machine.name = text_in(line, "machine");
  machine.at_s = time_in(line, "at_s");
  machine.capacity = amounts_in(line, "capacity");
  if (line.contains("attributes")) {
    const auto& all = line["attributes"];
    if (!all.is_object())
      throw recording_fault{"attributes are not an object"};
    for (const auto& [name, value] : all.items()) {
      if (!value.is_string())
        throw recording_fault{"an attribute is not a text"};
      machine.attributes[name] = value.get<std::string>();
    }
  }
  return machine;
}

recording_head head_in(const json& line) {
  const auto version = integer_in<std::int32_t>(line["recording"], "recording", 0);
  if (version != recording_version)
    throw recording_fault{"this is version " + std::to_string(version) +
                          " of recordings; this program reads version " +
                          std::to_string(recording_version)};
  return {integer_in<std::int64_t>(member(line, "from_ms"), "from_ms", 0),
          integer_in<std::int64_t>(member(line, "to_ms"), "to_ms", 0)};
}

} // namespace

std::string to_line(const recording_head& head) {
  return ordered{{"recording", recording_version}, {"from_ms", head.from_ms}, {"to_ms", head.to_ms}}
    .dump();
}

std::string to_line(const recorded_machine& machine) {
  ordered line{{"machine", machine.name},
               {"at_s", machine.at_s},
               {"capacity", amounts_json(machine.capacity)}};
  if (!machine.attributes.empty())
    line["attributes"] = machine.attributes;
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string to_line(const recorded_job& job) {
  ordered line{{"job", job.name}, {"at_s", job.at_s}};
  if (job.priority != 0)
    line["priority"] = job.priority;
  if (job.gang)
    line["gang"] = true;
  if (!job.tenant.empty())
    line["tenant"] = job.tenant;
  line["groups"] = ordered::array();
  for (const auto& g : job.groups) {
    ordered group{{"demand", amounts_json(g.demand)}, {"durations_s", g.durations_s}};
    for (const auto& c : g.constraints)
      group["constraints"].push_back(to_string(c));
    if (!g.after.empty())
      group["after"] = g.after;
    line["groups"].push_back(std::move(group));
  }
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

recorded_line read_recorded(std::string_view text) {
  const auto line = json::parse(text, nullptr, false);
  if (!line.is_object())
    throw recording_fault{"this line is not a JSON object"};
  recorded_line out;
  if (line.contains("recording"))
    out.head = head_in(line);
  else if (line.contains("machine"))
    out.machine = machine_in(line);
  else if (line.contains("job"))
    out.job = job_in(line);
  else
    throw recording_fault{"this line has none of the members recording, machine and job"};
  return out;
}

} // namespace troupe
