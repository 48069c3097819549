#include "jobs/job_client.hpp"

#include "jobs/store/rows.hpp"

#include <chrono>
#include <stdexcept>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

api_address address(const std::string& url) {
  const auto read = api_address::read(url);
  if (!read)
    throw std::runtime_error("there is no API at '" + url + "'");
  return *read;
}

} // namespace

job_client::job_client(const std::string& url) : http_(address(url)) {}

std::uint64_t job_client::submit(const json& job) {
  const auto answer = http_.send("POST", "/api/v1/jobs", job.dump(), {}, 10s);
  if (answer.status != 201)
    throw std::runtime_error("a job is not accepted: " + answer.body);
  return json::parse(answer.body)["id"];
}

void job_client::wait(std::uint64_t job) {
  for (;;) {
    const auto answer =
      http_.send("GET", "/api/v1/jobs/" + std::to_string(job) + "?wait=30", "", {}, 60s);
    if (answer.status != 200)
      throw std::runtime_error("a job is not known: " + answer.body);
    const std::string name = json::parse(answer.body)["state"];
    const auto state = choice_named<job_state>(name);
    if (state == job_state::succeeded)
      return;
    if (state != job_state::queued && state != job_state::running)
      throw std::runtime_error("a job has " + name);
  }
}

} // namespace troupe::trials
