#include "jobs/spec/attempt_spec.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace troupe {

void add_task_names(attempt_spec& spec, const std::string* entry) {
  const auto job = std::to_string(spec.which.job);
  const auto task = std::to_string(spec.which.task);
  spec.env["TROUPE_JOB"] = job;
  spec.env["TROUPE_TASK"] = task;
  spec.env["TROUPE_ATTEMPT"] = std::to_string(spec.which.attempt);
  spec.env["TROUPE_TASK_ID"] = job + '.' + task;
  if (entry != nullptr)
    spec.env["TROUPE_ENTRY"] = *entry;
}

std::string to_json(const attempt_spec& spec) {
  const nlohmann::ordered_json all{{"job", spec.which.job},
                                   {"task", spec.which.task},
                                   {"attempt", spec.which.attempt},
                                   {"argv", spec.argv},
                                   {"env", spec.env},
                                   {"dir", spec.dir},
                                   {"time_limit_ms", spec.time_limit_ms},
                                   {"grace_ms", spec.grace_ms},
                                   {"lease_ms", spec.lease_ms},
                                   {"output_limit_bytes", spec.output_limit_bytes},
                                   {"cpu", spec.cpu},
                                   {"memory_bytes", spec.memory_bytes},
                                   {"gpu_milli", spec.gpu_milli},
                                   {"slots", spec.slots}};
  return all.dump();
}

attempt_spec read_attempt_spec(std::string_view json) {
  const auto all = nlohmann::json::parse(json, nullptr, false);
  if (!all.is_object())
    throw std::invalid_argument{"the specification of an attempt is not a JSON object"};
  const char* member = "";
  try {
    const auto get = [&](const char* name, auto& into) { all.at(member = name).get_to(into); };
    attempt_spec spec;
    get("job", spec.which.job);
    get("task", spec.which.task);
    get("attempt", spec.which.attempt);
    get("argv", spec.argv);
    get("env", spec.env);
    get("dir", spec.dir);
    get("time_limit_ms", spec.time_limit_ms);
    get("grace_ms", spec.grace_ms);
    get("lease_ms", spec.lease_ms);
    get("output_limit_bytes", spec.output_limit_bytes);
    get("cpu", spec.cpu);
    get("memory_bytes", spec.memory_bytes);
    spec.gpu_milli = all.value(member = "gpu_milli", 0); // earlier versions did not write these
    spec.slots = all.value(member = "slots", 0);
    if (spec.argv.empty())
      throw std::invalid_argument{"the specification of an attempt has no argv"};
    return spec;
  } catch (const nlohmann::json::exception& e) {
    throw std::invalid_argument{std::string{"the specification of an attempt: "} + member + ": " +
                                e.what()};
  }
}

} // namespace troupe
