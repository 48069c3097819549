#include "jobs/spec/job_spec.hpp"

#include "jobs/spec/amounts.hpp"
#include "jobs/spec/spec_reader.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

std::string lines_of(const std::vector<spec_fault>& faults) {
  std::string text;
  for (const auto& f : faults)
    text += (text.empty() ? "" : "\n") + (f.place.empty() ? "" : f.place + ": ") + f.what;
  return text;
}

nlohmann::json group_json(const job_group_spec& g, const job_spec& of) {
  nlohmann::json out{{"name", g.name},
                     {"command", g.argv},
                     {"env", g.env},
                     {"dir", g.dir},
                     {"slots", g.slots},
                     {"gang", g.gang},
                     {"retries", g.retries},
                     {"cpu", g.cpu_milli / 1000.0},
                     {"gpu", g.gpu_milli / 1000.0},
                     {"memory", bytes_text(g.memory_bytes)},
                     {"grace", to_string(g.grace)},
                     {"time_limit", g.time_limit.count() == 0 ? "none" : to_string(g.time_limit)},
                     {"lease", g.lease.count() == 0 ? "forever" : to_string(g.lease)},
                     {"output_limit", bytes_text(g.output_limit_bytes)}};
  if (g.entries.empty())
    out["count"] = g.count;
  else
    out["entries"] = g.entries;
  out["constraints"] = nlohmann::json::array();
  for (const auto& c : g.constraints)
    out["constraints"].push_back(to_string(c));
  out["after"] = nlohmann::json::array();
  for (const auto i : g.after)
    out["after"].push_back(of.groups[i].name);
  return out;
}

job_spec read_json(std::string_view text, job_origin origin) {
  nlohmann::json value;
  try {
    value = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    throw spec_error{{{"", std::string{"it is not JSON: "} + e.what()}}};
  }
  return read_job(value, origin, [](const std::string& pointer) { return pointer; });
}

} // namespace

spec_error::spec_error(std::vector<spec_fault> all)
  : std::runtime_error(lines_of(all)), faults(std::move(all)) {}

resources job_group_spec::demand() const {
  constexpr std::int64_t mib = 1 << 20;
  resources r;
  r[resource::cpu] = cpu_milli;
  r[resource::memory] = static_cast<std::int32_t>((memory_bytes + mib - 1) / mib);
  r[resource::gpu] = gpu_milli;
  r[resource::slots] = slots;
  return r;
}

std::uint32_t job_spec::task_count() const {
  std::uint32_t n = 0;
  for (const auto& g : groups)
    n += g.count;
  return n;
}

job_spec read_job_json(std::string_view text) {
  return read_json(text, job_origin::store);
}

job_spec read_submission(std::string_view text) {
  return read_json(text, job_origin::client);
}

std::string to_json(const job_spec& spec) {
  nlohmann::json out{{"name", spec.name},
                     {"tenant", spec.tenant},
                     {"priority", spec.priority},
                     {"after", spec.after},
                     {"groups", nlohmann::json::array()}};
  for (const auto& g : spec.groups)
    out["groups"].push_back(group_json(g, spec));
  return out.dump();
}

} // namespace troupe
