#include "process/command/command_spec.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace troupe {

std::string to_json(const command_spec& spec) {
  nlohmann::json j{{"argv", spec.argv},
                   {"env", spec.env},
                   {"dir", spec.dir},
                   {"time_limit_ms", spec.time_limit_ms},
                   {"grace_ms", spec.grace_ms},
                   {"output_limit_bytes", spec.output_limit_bytes},
                   {"memory_bytes", spec.memory_bytes},
                   {"cpu", spec.cpu},
                   {"gpu_milli", spec.gpu_milli},
                   {"slots", spec.slots},
                   {"control_group", spec.control_group},
                   {"lease_ms", spec.lease_ms},
                   {"start_patience_ms", spec.start_patience_ms}};
  if (spec.user.is_set())
    j["user"] = {{"name", spec.user.name},
                 {"uid", spec.user.uid},
                 {"gid", spec.user.gid},
                 {"groups", spec.user.groups}};
  // Arguments need not be UTF-8, but files of a supervisor are.
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

command_spec parse_command_spec(const std::string& text) try {
  const auto j = nlohmann::json::parse(text);
  command_spec spec;
  spec.argv = j.at("argv").get<std::vector<std::string>>();
  spec.env = j.at("env").get<std::map<std::string, std::string>>();
  spec.dir = j.at("dir").get<std::string>();
  spec.time_limit_ms = j.at("time_limit_ms").get<std::int64_t>();
  spec.grace_ms = j.at("grace_ms").get<std::int64_t>();
  spec.output_limit_bytes = j.at("output_limit_bytes").get<std::uint64_t>();
  spec.memory_bytes = j.at("memory_bytes").get<std::int64_t>();
  spec.cpu = j.at("cpu").get<double>();
  spec.gpu_milli = j.value("gpu_milli", 0); // earlier versions did not write these
  spec.slots = j.value("slots", 0);
  spec.control_group = j.at("control_group").get<std::string>();
  spec.lease_ms = j.at("lease_ms").get<std::int64_t>();
  spec.start_patience_ms = j.value("start_patience_ms", std::int64_t{0});
  if (const auto user = j.find("user"); user != j.end())
    spec.user = {user->at("name").get<std::string>(), user->at("uid").get<uid_t>(),
                 user->at("gid").get<gid_t>(), user->at("groups").get<std::vector<gid_t>>()};
  if (spec.argv.empty())
    throw std::runtime_error("a command without a program");
  return spec;
} catch (const nlohmann::json::exception& e) {
  throw std::runtime_error(std::string{"not the specification of a command: "} + e.what());
}

} // namespace troupe
