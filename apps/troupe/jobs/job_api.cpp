#include "jobs/job_api.hpp"

#include "cluster/cluster_directory.hpp"
#include "cluster/node_options.hpp"
#include "cluster/page_place.hpp"
#include "commands/commands.hpp"
#include "report/text/printable.hpp"
#include "security/error.hpp"
#include "support/json_output.hpp"
#include "web/limits.hpp"
#include "web/token.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <poll.h>
#include <set>

namespace troupe {

namespace {

namespace fs = std::filesystem;
constexpr auto usual_patience = std::chrono::seconds{10};
constexpr auto patience_of_several = std::chrono::seconds{3};
/// How long a cluster that does not answer is asked again, and how often.
constexpr auto retry_patience = std::chrono::seconds{30};
constexpr std::chrono::milliseconds retry_pause{250};
constexpr std::size_t key_bytes = 16;
constexpr unsigned too_many_requests = 429;
constexpr unsigned unavailable = 503;
constexpr unsigned out_of_time = 504; // the store or a node was too slow

/// The address that a node of a local cluster has left.
std::string local_address(const fs::path& directory) {
  std::set<fs::path> nodes;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{directory, none})
    if (entry.path().filename().string().starts_with("node-"))
      nodes.insert(entry.path());
  for (const auto& node : nodes)
    if (const auto url = read_page_address(node); !url.empty())
      return url;
  throw usage_error{directory.string() +
                    ": no cluster that takes jobs is running there; expected "
                    "the --dir of a running 'troupe cluster up', or --api URL"};
}

/// The texts of an answer's error, on one line.
std::string error_in(const http_answer& answer, const place_naming& name = {}) {
  const auto body = api_json::parse(answer.body, nullptr, false);
  if (!body.is_object() || !body.contains("error"))
    return "the cluster answered with status " + std::to_string(answer.status);
  std::string text;
  for (const auto& fault : body.value("faults", api_json::array())) {
    const auto place = fault.value("place", "");
    text += text.empty() ? "" : "; ";
    text += (place.empty() ? "" : (name ? name(place) : place) + ": ") + fault.value("what", "");
  }
  if (text.empty())
    text = body["error"].is_string() ? body["error"].get<std::string>() : std::string{"?"};
  constexpr std::size_t longest = 4000;
  return printable(text, longest);
}

/// After which pause a request is sent again; nothing: this is the answer to it. A server that has
/// too many tasks asks for a longer pause than anybody waits for here.
std::optional<std::chrono::milliseconds> pause_after(const http_answer& answer) {
  if (answer.status == unavailable || answer.status == out_of_time)
    return retry_pause;
  const auto wish = answer.headers.find("retry-after");
  if (answer.status != too_many_requests || wish == answer.headers.end())
    return std::nullopt;
  const std::chrono::seconds delay{std::strtol(wish->second.c_str(), nullptr, 10)};
  return delay < retry_patience ? std::optional<std::chrono::milliseconds>{delay} : std::nullopt;
}

int code_of(unsigned status) {
  switch (status) {
  case 404:
    return job_exit::no_such_job;
  case 400:
  case 401:
  case 403:
  case 413:
  case 422:
    return exit_code::usage;
  case 409:
  case 410:
    return job_exit::refused;
  default:
    return job_exit::no_answer;
  }
}

} // namespace

void add_api_access(CLI::App& command, api_access& access) {
  auto* directory = command
                      .add_option("--cluster", access.directory,
                                  "The --dir of a running 'troupe cluster up'; default: cluster")
                      ->type_name("DIR");
  command
    .add_option("--api", access.url,
                "Instead: address of a node with role api, or A,B; default: $TROUPE_API")
    ->type_name("URL")
    ->excludes(directory);
  command
    .add_option("--token", access.token_file, "With --api: file with the token, if it needs one")
    ->type_name("FILE")
    ->excludes(directory);
  command
    .add_option("--certs", access.certs,
                "With --api https://...: a directory with ca.crt, NAME.crt, NAME.key")
    ->type_name("DIR")
    ->excludes(directory);
  command.add_option("--as", access.as, "With --certs: the NAME; default: client")
    ->type_name("NAME")
    ->excludes(directory);
}

std::string given_address(const api_access& access) {
  if (!access.url.empty() || !access.directory.empty())
    return access.url;
  const char* from = std::getenv("TROUPE_API");
  return from != nullptr ? from : "";
}

job_api::job_api(const api_access& access) {
  auto url = given_address(access);
  if (url.empty() && !(access.token_file + access.certs).empty())
    throw usage_error{"--token and --certs are used with --api, or $TROUPE_API"};
  auto certs = access.certs;
  auto as = access.as;
  if (url.empty()) {
    const fs::path directory{access.directory.empty() ? "cluster" : access.directory};
    url = local_address(directory);
    if (url.starts_with("https:")) {
      const auto contact = find_cluster(directory);
      certs = contact.certs.string();
      as = contact.as;
    }
  }
  for (const auto& one : split_at_commas(url)) {
    auto to = api_address::read(one);
    if (!to)
      throw usage_error{"--api " + printable(one) +
                        ": expected an address such as http://127.0.0.1:8980/"};
    try {
      if (!access.token_file.empty())
        to->token = existing_token_in(access.token_file);
      clients_.push_back(std::make_unique<http_client>(*to, credentials_of(certs, as)));
    } catch (const security_error& e) {
      throw usage_error{e.what()};
    }
  }
}

http_answer job_api::send(const std::string& method, const std::string& target,
                          const std::string& body,
                          const std::map<std::string, std::string>& headers,
                          std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + retry_patience;
  // A node that stands still does not keep those who ask from the others for long.
  if (clients_.size() > 1)
    patience -= usual_patience - patience_of_several;
  for (std::size_t tries = 1;; ++tries) {
    std::string why;
    auto delay = retry_pause;
    try {
      auto answer = clients_[at_]->send(method, target, body, headers, patience);
      const auto wish = pause_after(answer);
      if (!wish)
        return answer;
      delay = *wish;
      why = error_in(answer);
    } catch (const no_answer& e) {
      why = e.what();
    }
    if (std::chrono::steady_clock::now() > until)
      throw no_answer{why};
    at_ = (at_ + 1) % clients_.size();
    if (tries % clients_.size() == 0)
      poll(nullptr, 0, static_cast<int>(delay.count()));
  }
}

api_json job_api::ask(const std::string& method, const std::string& target, const std::string& what,
                      std::chrono::seconds patience, const std::string& body) {
  const auto answer = send(method, target, method == "POST" ? body : "", {}, patience);
  if (answer.status >= 300)
    throw api_refusal{code_of(answer.status), what + ": " + error_in(answer)};
  auto told = api_json::parse(answer.body, nullptr, false);
  if (!told.is_object())
    throw no_answer{what + ": the answer is no JSON object"};
  return told;
}

std::uint64_t job_api::submit(const std::string& job, const std::string& key,
                              const place_naming& name) {
  if (constexpr auto most = web_limits{}.body_bytes; job.size() > most)
    throw api_refusal{exit_code::usage, "submit: the job is " + std::to_string(job.size()) +
                                          " bytes of JSON; expected at most " +
                                          std::to_string(most)};
  const auto answer =
    send("POST", "/api/v1/jobs", job,
         {{"Idempotency-Key", key.empty() ? random_token(key_bytes) : key}}, usual_patience);
  if (answer.status >= 300)
    throw api_refusal{code_of(answer.status) == job_exit::no_such_job ? job_exit::refused
                                                                      : code_of(answer.status),
                      "submit: " + error_in(answer, name)};
  const auto body = api_json::parse(answer.body, nullptr, false);
  if (!body.is_object() || !body.value("id", api_json{}).is_number_unsigned())
    throw no_answer{"submit: the answer has no id"};
  return body["id"].get<std::uint64_t>();
}

api_json job_api::jobs(const std::string& query) {
  return ask("GET", "/api/v1/jobs" + query, "jobs", usual_patience);
}

api_json job_api::job(const std::string& id, std::chrono::seconds wait) {
  const auto query = wait.count() > 0 ? "?wait=" + std::to_string(wait.count()) : std::string{};
  return ask("GET", "/api/v1/jobs/" + id + query, "job " + id, usual_patience + wait);
}

api_json job_api::tasks(const std::string& id, const std::string& query) {
  return ask("GET", "/api/v1/jobs/" + id + "/tasks" + query, "job " + id, usual_patience);
}

api_json job_api::task(const std::string& id, const std::string& number) {
  return ask("GET", "/api/v1/jobs/" + id + "/tasks/" + number, "task " + id + '.' + number,
             usual_patience);
}

api_json job_api::runs(const std::string& id, const std::string& query) {
  return ask("GET", "/api/v1/jobs/" + id + "/runs" + query, "job " + id, usual_patience);
}

api_json job_api::machines(const std::string& query) {
  return ask("GET", "/api/v1/machines" + query, "machines", usual_patience);
}

api_json job_api::policies() {
  return ask("GET", "/api/v1/policies", "policy", usual_patience);
}

api_json job_api::change_policies(const std::string& body) {
  return ask("POST", "/api/v1/policies", "policy set", usual_patience, body);
}

api_json job_api::cancel(const std::string& id) {
  return ask("POST", "/api/v1/jobs/" + id + "/cancel", "cancel " + id, usual_patience);
}

api_json job_api::retry(const std::string& id) {
  return ask("POST", "/api/v1/jobs/" + id + "/retry", "retry " + id, usual_patience);
}

job_api::output job_api::read(const std::string& id, const std::string& task, bool errors,
                              const std::string& attempt, std::uint64_t offset) {
  auto target = "/api/v1/jobs/" + id + "/tasks/" + task + "/output/" +
                (errors ? "stderr" : "stdout") + "?offset=" + std::to_string(offset);
  if (!attempt.empty())
    target += "&attempt=" + attempt;
  const auto answer = send("GET", target, "", {}, usual_patience);
  if (answer.status >= 300)
    throw api_refusal{code_of(answer.status), "logs " + id + ' ' + task + ": " + error_in(answer)};
  const auto number = [&](const char* name) {
    const auto it = answer.headers.find(name);
    return it == answer.headers.end() ? std::uint64_t{0}
                                      : std::strtoull(it->second.c_str(), nullptr, 10);
  };
  const auto open = answer.headers.find("x-open");
  return {answer.body,
          number("x-offset"),
          number("x-size"),
          open != answer.headers.end() && open->second == "true",
          true,
          number("x-attempt")};
}

int with_job_exit_codes(bool as_json, const std::function<int()>& function) {
  const auto complain = [as_json](const std::string& why, int code) {
    const auto text = printable_lines(why);
    std::fprintf(stderr, "troupe: %s\n", text.c_str());
    if (as_json)
      print_json_error(text);
    return code;
  };
  try {
    return function();
  } catch (const api_refusal& e) {
    return complain(e.what(), e.code);
  } catch (const no_answer& e) {
    return complain(e.what(), job_exit::no_answer);
  }
}

namespace {

std::string number_in(const std::string& text, const std::string& otherwise) {
  constexpr std::size_t longest = 19;
  if (text.empty() || text.size() > longest ||
      !std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; }))
    throw usage_error{"'" + printable(text) + "' is " + otherwise};
  return text;
}

} // namespace

std::string job_id_of(const std::string& text) {
  return number_in(text, "no job; expected its number, as 'troupe jobs' shows it");
}

std::string task_number_of(const std::string& text) {
  return number_in(text, "no task of a job; expected its number, from 0 on");
}

std::string attempt_number_of(const std::string& text) {
  return number_in(text, "no attempt; expected its number, from 1 on");
}

} // namespace troupe
