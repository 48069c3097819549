#include "jobs_server.hpp"
#include "plain_http.hpp"
#include "support/api_description.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <future>
#include <set>
#include <thread>

using namespace troupe;
using namespace troupe::test;

namespace {

using text_json = nlohmann::json;

/// Asks, and holds each answer against the description.
struct checked_api {
  jobs_server server;
  api_description described;
  http_answer last;

  text_json ask(const std::string& template_path, const std::string& target, unsigned status,
                const std::optional<std::string>& body = std::nullopt,
                const std::string& key = "") {
    CAPTURE(target);
    std::vector<std::pair<std::string, std::string>> headers;
    if (!key.empty())
      headers.emplace_back("Idempotency-Key", key);
    last = ask_http(server.server->port(), target, body ? &*body : nullptr, headers);
    CHECK(last.status == status);
    CHECK(described.fault(body ? "post" : "get", template_path, last.status,
                          last.headers.at("Content-Type"), last.body) == "");
    return text_json::parse(last.body, nullptr, false);
  }

  static constexpr const char* jobs = "/api/v1/jobs";
  static constexpr const char* job = "/api/v1/jobs/{job}";
  static constexpr const char* tasks = "/api/v1/jobs/{job}/tasks";
  static constexpr const char* task = "/api/v1/jobs/{job}/tasks/{task}";

  std::uint64_t submit(const std::string& command, int count = 1) {
    return ask(jobs, jobs, 201,
               R"({"name":"n","groups":[{"command":)" + command + R"(,"env":{"SECRET":"hidden"},)" +
                 R"("count":)" + std::to_string(count) + "}]}")
      .at("id");
  }

  text_json wait(std::uint64_t id) {
    return ask(job, "/api/v1/jobs/" + std::to_string(id) + "?wait=60s", 200);
  }
};

} // namespace

TEST_CASE("the API of jobs answers as described") {
  checked_api api;
  const auto id = api.submit(R"(["echo","$TROUPE_TASK_ID"])", 3);
  CHECK(api.last.headers.at("Location") == "/api/v1/jobs/1");
  const auto over = api.wait(id);
  CHECK(over.at("state") == "succeeded");
  CHECK(over.at("succeeded") == 3);
  CHECK(api.last.body.find("hidden") == std::string::npos);
  CHECK(over.at("groups")[0].at("variables") == text_json{"SECRET"});

  const auto path = "/api/v1/jobs/" + std::to_string(id);
  const auto page = api.ask(api.tasks, path + "/tasks?limit=2", 200);
  CHECK(page.at("tasks").size() == 2);
  CHECK(page.at("next") == 2);
  const auto rest = api.ask(api.tasks, path + "/tasks?limit=2&from=2", 200);
  CHECK(rest.at("tasks").size() == 1);
  CHECK(rest.at("next").is_null());
  api.ask(api.tasks, path + "/tasks?state=odd", 400);
  CHECK(api.ask(api.tasks, path + "/tasks?state=failed", 200).at("tasks").empty());
  const auto task = api.ask(api.task, path + "/tasks/2", 200);
  CHECK(task.at("runs")[0].at("exit_code") == 0);
  CHECK(task.at("runs")[0].at("signal").is_null());
  api.ask(api.task, path + "/tasks/3", 404);
  CHECK(api.ask("/api/v1/machines", "/api/v1/machines", 200).at("machines").empty());
  std::promise<bool> kept;
  api.server.service->keep_machines(
    {{"a", 10, 20, 1'500, 64, 250, 2, R"({"zone":"x"})"}, {"b", 15, 0, 1'000, 1, 0, 0, "{}"}},
    [&](bool durable) { kept.set_value(durable); });
  REQUIRE(kept.get_future().get());
  const std::string machines = "/api/v1/machines";
  const auto there = api.ask(machines, machines + "?since=20", 200).at("machines");
  REQUIRE(there.size() == 2);
  CHECK(there[0].at("name") == "a");
  CHECK(there[0].at("cpu") == 1.5);
  CHECK(there[0].at("memory_bytes") == 64 << 20);
  CHECK(there[0].at("attributes").at("zone") == "x");
  CHECK(there[0].at("left_ms") == 20);
  CHECK(there[1].at("left_ms").is_null());
  CHECK(api.ask(machines, machines + "?since=21", 200).at("machines").size() == 1);
  api.ask(machines, machines + "?since=now", 400);
  const std::string runs = "/api/v1/jobs/{job}/runs";
  const auto all = api.ask(runs, path + "/runs?limit=2", 200);
  CHECK(all.at("tasks").size() == 2);
  CHECK(all.at("tasks")[1].at("runs")[0].at("exit_code") == 0);
  CHECK(all.at("next") == 2);
  CHECK(api.ask(runs, path + "/runs?from=2", 200).at("next").is_null());
  CHECK(api.ask(runs, path + "/runs?from=9", 200).at("tasks").empty());
  api.ask(runs, "/api/v1/jobs/99/runs", 404);

  const std::string output = "/api/v1/jobs/{job}/tasks/{task}/output/{stream}";
  api.ask(output, path + "/tasks/2/output/stdout", 200);
  CHECK(api.last.body == "1.2\n");
  CHECK(api.last.headers.at("X-Attempt") == "1");
  CHECK(api.last.headers.at("X-Size") == "4");
  CHECK(api.last.headers.at("X-Open") == "false");
  api.ask(output, path + "/tasks/2/output/stdout?offset=1&limit=2", 200);
  CHECK(api.last.body == ".2");
  CHECK(api.last.headers.at("X-Offset") == "1");
  api.ask(output, path + "/tasks/2/output/stderr", 200);
  CHECK(api.last.body.empty());
  api.ask(output, path + "/tasks/2/output/other", 404);
  api.ask(output, path + "/tasks/2/output/stdout?attempt=2", 404);
  api.ask(output, path + "/tasks/2/output/stdout?offset=x", 400);
  api.server.cluster->remove_outputs();
  api.ask(output, path + "/tasks/2/output/stdout", 410);
  api.server.cluster->go_away();
  api.ask(output, path + "/tasks/2/output/stdout", 503);

  const auto failing = api.submit(R"(["false"])");
  CHECK(api.wait(failing).at("reason") == "task 0: exit code 1");
  const auto failed = "/api/v1/jobs/" + std::to_string(failing);
  CHECK(api.ask("/api/v1/jobs/{job}/retry", failed + "/retry", 202, "{}").at("tasks") == 1);
  CHECK(api.wait(failing).at("state") == "failed");
  CHECK(api.ask("/api/v1/jobs/{job}/retry", path + "/retry", 200, "{}").at("tasks") == 0);
  api.ask("/api/v1/jobs/{job}/retry", "/api/v1/jobs/99/retry", 404, "{}");

  const auto held = api.submit(R"(["hold"])", 2);
  const auto holding = "/api/v1/jobs/" + std::to_string(held);
  CHECK(api.ask(api.job, holding + "?wait=0", 200).at("finished_ms").is_null());
  api.ask("/api/v1/jobs/{job}/retry", holding + "/retry", 409, "{}");
  CHECK(api.ask(api.jobs, "/api/v1/jobs?state=live", 200).at("jobs").size() == 1);
  api.ask("/api/v1/jobs/{job}/cancel", holding + "/cancel", 202, "{}");
  CHECK(api.wait(held).at("state") == "cancelled");
  api.ask("/api/v1/jobs/{job}/cancel", holding + "/cancel", 200, "{}");
  api.ask("/api/v1/jobs/{job}/cancel", "/api/v1/jobs/99/cancel", 404, "{}");
  const std::string give_up = "/api/v1/jobs/{job}/tasks/{task}/give-up";
  api.ask(give_up, holding + "/tasks/0/give-up", 409, "{}");
  api.ask(give_up, "/api/v1/jobs/99/tasks/0/give-up", 404, "{}");

  const auto later = api.ask(api.jobs, api.jobs, 201,
                             R"({"after":[)" + std::to_string(id) +
                               R"(],"groups":[{"command":["no-such-command"]}]})");
  const auto none = api.wait(later.at("id"));
  CHECK(none.at("reason") == "task 0: it could not be started: exec: No such file or directory");

  auto list = api.ask(api.jobs, "/api/v1/jobs?limit=3", 200);
  CHECK(list.at("jobs").size() == 3);
  CHECK(list.at("jobs")[0].at("id") == later.at("id"));
  list = api.ask(api.jobs, "/api/v1/jobs?limit=3&before=" + list.at("before").dump(), 200);
  CHECK(list.at("jobs").size() == 1);
  CHECK(list.at("before").is_null());
  api.ask(api.jobs, "/api/v1/jobs?before=zz", 400);
  api.ask(api.jobs, "/api/v1/jobs?limit=1001", 400);
  api.ask(api.jobs, "/api/v1/jobs?limit=0", 400);
  CHECK(api.ask(api.jobs, "/api/v1/jobs?state=failed&name=n", 200).at("jobs").size() == 1);
  api.ask(api.job, "/api/v1/jobs/99", 404);
  api.ask(api.job, "/api/v1/jobs/x", 404);
  api.ask(api.job, path + "?wait=61", 400);
}

TEST_CASE("a queued job has its reason in the list as by itself") {
  checked_api api{jobs_server{"", true, [] { return std::vector<machine_description>{}; }}};
  const auto holding = std::to_string(api.submit(R"(["hold"])"));
  const auto queued = api.ask(api.jobs, api.jobs, 201,
                              R"({"after":[)" + holding + R"(],"groups":[{"command":["true"]}]})");
  const auto job = api.ask(api.job, "/api/v1/jobs/" + queued.at("id").dump(), 200);
  CHECK(job.at("reason") == "waits for job " + holding);
  const auto list = api.ask(api.jobs, "/api/v1/jobs?limit=1", 200).at("jobs");
  CHECK(list[0].at("id") == queued.at("id"));
  CHECK(list[0].at("reason") == job.at("reason"));
}

TEST_CASE("a job says that its tenant is at its maximum") {
  machine_description m; // of the fake cluster
  m.capacity[resource::cpu] = 2000;
  m.capacity[resource::memory] = 1024;
  service_options options;
  options.tenants = {"default", "ci"};
  options.maxima = {{"ci", 0.5}};
  checked_api api{jobs_server{"", true, [m] { return std::vector{m}; }, options}};
  const auto submit = [&](const std::string& tenant, const std::string& command) {
    return api
      .ask(api.jobs, api.jobs, 201,
           R"({"tenant":")" + tenant + R"(","groups":[{"command":[")" + command +
             R"("],"cpu":1}]})")
      .at("id")
      .dump();
  };
  const auto show = [&](const std::string& id) {
    return api.ask(api.job, "/api/v1/jobs/" + id, 200);
  };
  const auto first = submit("ci", "hold");
  while (show(first).at("state") != "running")
    std::this_thread::yield();
  api.server.cluster.reset(); // tasks wait from now on
  const auto second = show(submit("ci", "true"));
  CHECK(second.at("reason") == "tenant ci may use at most 0.5 of the machines, and uses 0.5");
  CHECK(second.at("groups")[0].at("at_maximum") == second.at("reason"));
  CHECK(api.ask(api.jobs, "/api/v1/jobs?limit=1", 200).at("jobs")[0].at("reason") ==
        second.at("reason"));
  const auto other = show(submit("default", "true"));
  CHECK(other.at("reason") == "");
  CHECK_FALSE(other.at("groups")[0].contains("at_maximum"));
}

TEST_CASE("a job of a tenant that the cluster does not have is refused") {
  service_options options;
  options.tenants = {"default", "web", "ci"};
  checked_api api{jobs_server{"", true, {}, options}};
  api.submit(R"(["true"])");
  api.ask(api.jobs, api.jobs, 201, R"({"tenant":"ci","groups":[{"command":["true"]}]})");
  const auto refused =
    api.ask(api.jobs, api.jobs, 422, R"({"tenant":"db","groups":[{"command":["true"]}]})");
  CHECK(refused.at("error") == "/tenant: is \"db\"; expected \"default\", \"web\" or \"ci\", the "
                               "tenants of this cluster");
}

TEST_CASE("a submission over HTTP is refused with its faults, and repeated by its key") {
  checked_api api;
  const auto bad = api.ask(api.jobs, api.jobs, 422, R"({"groups":[{"command":[],"count":0}]})");
  CHECK(bad.at("faults").size() == 2);
  CHECK(bad.at("faults")[0].at("place") == "/groups/0/count");
  CHECK(api.ask(api.jobs, api.jobs, 422, "{").at("faults").size() == 1);
  api.ask(api.jobs, api.jobs, 404, R"({"after":[9],"groups":[{"command":["a"]}]})");
  const auto job = R"({"groups":[{"command":["true"]}]})";
  const auto first = api.ask(api.jobs, api.jobs, 201, job, "k");
  CHECK(api.ask(api.jobs, api.jobs, 200, job, "k") == first);
  api.ask(api.jobs, api.jobs, 422, R"({"groups":[{"command":["false"]}]})", "k");
  api.ask(api.jobs, api.jobs, 400, job, std::string(256, 'k'));
  api.ask(api.jobs, api.jobs, 400, job, "\x80");
  const auto hasty =
    api.ask(api.jobs, api.jobs, 422, R"({"groups":[{"command":["true"],"lease":"2s"}]})");
  CHECK(hasty.at("faults")[0].at("place") == "/groups/0/lease");
  CHECK(hasty.at("error").get<std::string>().find("is 2000ms; expected at least 3s") !=
        std::string::npos);
  api.ask(api.jobs, api.jobs, 413, std::string(2 << 20, ' '));
}

TEST_CASE("gangs are refused where schedulers cannot start tasks together") {
  checked_api api{jobs_server{"", false}};
  const auto told =
    api.ask(api.jobs, api.jobs, 422,
            R"({"groups":[{"command":["a"]},{"name":"b","command":["b"],"count":2,"gang":true}]})");
  REQUIRE(told.at("faults").size() == 1);
  CHECK(told.at("faults")[0].at("place") == "/groups/1/gang");
  api.ask(api.jobs, api.jobs, 201, R"({"groups":[{"command":["a"],"gang":true}]})"); // of one task
}

TEST_CASE("the description of the API has the routes of the server, and no others") {
  std::set<std::string> served;
  route_table routes;
  mount_without_jobs(routes, [] { return error_response(501, "none here"); });
  for (const auto& r : routes.all())
    served.insert(r.method + ' ' + r.path);
  const jobs_server real;
  std::set<std::string> really;
  route_table mounted;
  mount(mounted, *real.service, nullptr);
  for (const auto& r : mounted.all())
    really.insert(r.method + ' ' + r.path);
  CHECK(served == really);
  std::set<std::string> described;
  const api_description file;
  for (const auto& [path, methods] : file.paths().items())
    if (path.starts_with("/api/v1/jobs") || path == "/api/v1/machines")
      for (const auto& [method, _] : methods.items())
        described.insert((method == "get" ? "GET " : "POST ") + path);
  CHECK(described == really);
}

TEST_CASE("a wrong token gets nothing") {
  const std::string token(40, 't');
  const jobs_server server{token};
  const auto status = [&](const std::string& path, const std::string& with,
                          const std::string* body = nullptr) {
    return ask_http(server.server->port(), path, body, {{"Authorization", "Bearer " + with}})
      .status;
  };
  const std::string job = R"({"groups":[{"command":["true"]}]})";
  CHECK(status("/api/v1/jobs", token, &job) == 201);
  CHECK(status("/api/v1/jobs/1", token) == 200);
  const auto wrong = token.substr(1) + 'u';
  for (const auto* path :
       {"/api/v1/jobs", "/api/v1/jobs/1", "/api/v1/jobs/1/tasks/0/output/stdout"})
    CHECK(status(path, wrong) == 401);
  CHECK(status("/api/v1/jobs", wrong, &job) == 401);
  CHECK(status("/api/v1/jobs/1/cancel", wrong, &job) == 401);
}
