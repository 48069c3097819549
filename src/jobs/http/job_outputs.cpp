#include "jobs/http/job_outputs.hpp"

#include "jobs/http/job_requests.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint64_t usual_output = 64 << 10;
constexpr std::uint64_t most_output = 1 << 20;

web_response output_response(const std::optional<found_output>& found, const attempt_row& of) {
  if (!found) {
    auto made = error_response(503, "node " + of.node + ", which has the output, does not answer");
    made.headers.emplace_back("Retry-After", "1");
    return made;
  }
  if (!found->known)
    return error_response(410, "the output is no longer kept");
  web_response made;
  made.type = "application/octet-stream";
  made.body = found->bytes;
  made.headers.emplace_back("X-Attempt", std::to_string(of.which.attempt));
  made.headers.emplace_back("X-Offset", std::to_string(found->offset));
  made.headers.emplace_back("X-Size", std::to_string(found->size));
  made.headers.emplace_back("X-Open", of.open ? "true" : "false");
  return made;
}

} // namespace

void show_output(job_service& service, const output_reader& read, const web_request& r,
                 const web_reply& reply) {
  const auto id = job_id_of(r);
  const auto task = task_of_path(r);
  const auto name = std::to_string(id) + '.' + std::to_string(task);
  const auto& stream = r.parts.at("stream");
  if (stream != "stdout" && stream != "stderr")
    throw refused{
      error_response(404, "there is no output " + stream + "; expected stdout or stderr")};
  if (task >= existing(service, id).tasks)
    throw refused{error_response(404, "there is no task " + name)};
  const auto attempts = service.stored().attempts(id, task);
  if (attempts.empty())
    throw refused{error_response(404, "task " + name + " was not started")};
  const auto number = option_of(r, "attempt", attempts.back().which.attempt, 0xFFFFFFFFU);
  const auto which =
    std::ranges::find_if(attempts, [&](const attempt_row& a) { return a.which.attempt == number; });
  if (which == attempts.end())
    throw refused{
      error_response(404, "task " + name + " has no attempt " + std::to_string(number))};
  const auto limit = option_of(r, "limit", usual_output, most_output);
  const auto offset = option_of(r, "offset", 0, std::uint64_t{1} << 62);
  read(*which, stream == "stderr", offset, static_cast<std::uint32_t>(limit),
       [reply, of = *which](const std::optional<found_output>& found) {
         reply(output_response(found, of));
       });
}

} // namespace troupe
