#include "jobs/job_cluster.hpp"

#include "failures/fault_row.hpp"
#include "settings/schema/varied_setting.hpp"
#include "web/http_client.hpp"

#include <algorithm>
#include <future>
#include <pwd.h>
#include <unistd.h>

namespace troupe::trials {

namespace fs = std::filesystem;

namespace {

const std::string keeper = "k";
const std::string second_keeper = "k2";
constexpr const char* port = ":8980";
constexpr std::chrono::seconds answer_patience{5};

/// The user of this process, who may use its directories.
std::string own_name() {
  const auto* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : "";
}

} // namespace

cluster_plan job_cluster(const jobs_plan& plan) {
  cluster_plan cluster;
  cluster.troupe = plan.troupe;
  cluster.directory = plan.directory;
  cluster.config = plan.config;
  cluster.patience = plan.patience;
  cluster.overrides = plan.overrides;
  cluster.overrides.push_back("architecture=" + plan.architecture);
  cluster.overrides.push_back("cluster.machines=" +
                              std::to_string(std::max(plan.machines, plan.most)));
  const std::string members = has_owners(plan.architecture) ? "owner,scheduler" : "scheduler";
  std::string roles = "master,workload,api";
  const bool standby = !plan.database.empty();
  if (!plan.members_apart && !standby)
    roles += ',' + members;
  std::vector<std::string> serve{"--serve", "127.0.0.1:0"};
  if (plan.separate_hosts)
    serve = {"--serve", host_network::address(0) + port, "--serve-tls"};
  cluster.nodes.push_back({keeper, roles, 0, 0, serve});
  if (standby) {
    cluster.overrides.push_back("workload.store=" + plan.database);
    cluster.nodes.push_back({second_keeper, roles, 0, 0, serve});
    if (!plan.members_apart)
      cluster.nodes.push_back({"s", members});
  }
  if (plan.members_apart) {
    if (has_owners(plan.architecture)) {
      cluster.overrides.insert(cluster.overrides.end(),
                               {"cluster.partitions=2", "cluster.owners=2"});
      cluster.nodes.push_back({"o1", "owner"});
      cluster.nodes.push_back({"o2", "owner"});
    }
    cluster.nodes.push_back({"s1", "scheduler"});
    cluster.nodes.push_back({"s2", "scheduler"});
  }
  for (std::uint32_t m = 0; m < plan.machines; ++m)
    cluster.nodes.push_back(
      {"h" + std::to_string(m + 1), "machine", 0, 0, {"--run-as", own_name()}});
  if (plan.separate_hosts) {
    cluster.hosts = cluster.nodes.size();
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
      cluster.nodes[n].host = n;
  }
  return cluster;
}

std::string api_of(const trial_cluster& cluster) {
  std::string all;
  for (const auto& name : cluster.keepers()) {
    const auto text = read_text(cluster.plan().directory / name / "page");
    const auto address = text.substr(0, text.find('\n'));
    if (!address.empty())
      all += (all.empty() ? "" : ",") + address;
  }
  return all;
}

fs::path store_in(const fs::path& directory) {
  return directory / keeper / "jobs.sqlite";
}

std::vector<std::string> client_words(trial_cluster& cluster, std::vector<std::string> words) {
  const auto& plan = cluster.plan();
  std::vector<std::string> all;
  if (plan.hosts > 0)
    all = cluster.network().on_switch();
  all.push_back(plan.troupe.string());
  words.insert(words.begin() + 1, {"--api", api_of(cluster)});
  if (plan.hosts > 0)
    words.insert(words.begin() + 1, {"--certs", "certs", "--as", "client"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::optional<std::string> run_client(trial_cluster& cluster, std::vector<std::string> words) {
  return output_of(cluster.plan().directory, client_words(cluster, std::move(words)));
}

std::optional<json> ask_api(trial_cluster& cluster, const std::string& target) {
  const auto& plan = cluster.plan();
  std::optional<tls_files> files;
  if (plan.hosts > 0) {
    const auto certs = plan.directory / "certs";
    files = tls_files{certs / "client.crt", certs / "client.key", certs / "ca.crt"};
  }
  const auto ask = [&](const api_address& at) -> std::optional<json> {
    try {
      if (plan.hosts > 0)
        cluster.network().enter_switch();
      const auto answer = http_client{at, files}.send("GET", target, {}, {}, answer_patience);
      if (answer.status == 200)
        return json::parse(answer.body);
    } catch (const no_answer&) {
    }
    return std::nullopt;
  };
  for (const auto& one : split_at_commas(api_of(cluster)))
    if (const auto at = api_address::read(one)) // in a thread of its own, which may move
      if (auto told = std::async(std::launch::async, ask, *at).get())
        return told;
  return std::nullopt;
}

void wait_for_api(trial_cluster& cluster) {
  cluster.wait_for("the API answers",
                   [&] { return ask_api(cluster, "/api/v1/jobs?limit=1").has_value(); });
}

} // namespace troupe::trials
