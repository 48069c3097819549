#pragma once

#include "web/http_client.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

using api_json = nlohmann::json;

/// Exit codes of the commands for jobs, besides those of all commands.
namespace job_exit {
inline constexpr int job_failed = 3;
inline constexpr int no_answer = 4;
inline constexpr int no_such_job = 5;
inline constexpr int refused = 6;
inline constexpr int timed_out = 124;
} // namespace job_exit

/// The cluster has refused what was asked for. what() is one line for the user.
struct api_refusal : std::runtime_error {
  api_refusal(int with, const std::string& why) : std::runtime_error(why), code(with) {}
  int code; ///< of the program
};

/// The options with which commands reach the API of a cluster.
struct api_access {
  std::string directory;
  std::string url;
  std::string token_file;
  std::string certs;
  std::string as = "client";
};

/// Adds --cluster, --api, --token, --certs and --as; `access` must outlive `command`.
void add_api_access(CLI::App& command, api_access& access);

/// Returns the addresses given with --api, or in the environment where neither they nor --cluster
/// are given; empty: the cluster of a directory is meant.
std::string given_address(const api_access& access);

/// Returns what the user wrote for a place in the JSON of a request, by the JSON pointer.
using place_naming = std::function<std::string(const std::string& place)>;

/// The API of a cluster, as the commands for jobs use it.
class job_api {
public:
  /// Of several addresses, one after the other is asked until one has the jobs. Throws
  /// `usage_error` if the options name no cluster.
  explicit job_api(const api_access& access);

  /// Submits a job, in JSON, and returns its id. Asks again while the cluster does not answer, for
  /// some seconds: by its key, the job is accepted once only. `key` empty: a new one. `name`: for
  /// the faults that the cluster finds. Throws `api_refusal`, `no_answer`.
  std::uint64_t submit(const std::string& job, const std::string& key, const place_naming& name);

  /// These return what the API does; see docs/openapi.api_json. They throw `api_refusal`,
  /// `no_answer`.
  api_json jobs(const std::string& query);
  api_json job(const std::string& id, std::chrono::seconds wait = std::chrono::seconds{0});
  api_json tasks(const std::string& id, const std::string& query);
  api_json task(const std::string& id, const std::string& number);
  api_json runs(const std::string& id, const std::string& query);
  api_json machines(const std::string& query);
  api_json policies();
  api_json cancel(const std::string& id);
  api_json retry(const std::string& id);
  api_json change_policies(const std::string& body);

  /// A part of what a task has written.
  struct output {
    std::string bytes;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool open = false;         ///< the command still runs
    bool started = false;      ///< it has begun, ever
    std::uint64_t attempt = 0; ///< whose output it is
  };

  output read(const std::string& id, const std::string& task, bool errors,
              const std::string& attempt, std::uint64_t offset);

private:
  api_json ask(const std::string& method, const std::string& target, const std::string& what,
               std::chrono::seconds patience, const std::string& body = "{}");
  http_answer send(const std::string& method, const std::string& target, const std::string& body,
                   const std::map<std::string, std::string>& headers,
                   std::chrono::seconds patience);

  std::vector<std::unique_ptr<http_client>> clients_; ///< one for each address
  std::size_t at_ = 0;                                ///< of the one that answers
};

/// Runs `function`; turns refusals and silence into messages, as JSON too if the results are, and
/// exit codes.
int with_job_exit_codes(bool as_json, const std::function<int()>& function);

/// Returns the id of a job, as the user wrote it. Throws `usage_error` if it is no number.
std::string job_id_of(const std::string& text);

/// The same for the number of a task in its job, and of an attempt of a task.
std::string task_number_of(const std::string& text);
std::string attempt_number_of(const std::string& text);

} // namespace troupe
