#include "failures/trial_cluster.hpp"

#include "failures/eventually.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe::trials {

namespace fs = std::filesystem;

namespace {

/// Failures begin at set times.
constexpr question_pace pace{std::chrono::milliseconds{50}, std::chrono::milliseconds{500}};
const std::string client = "client";

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

} // namespace

trial_cluster::trial_cluster(cluster_plan plan) : plan_(std::move(plan)) {
  fs::create_directories(plan_.directory);
  if (plan_.hosts > 0)
    network_ = std::make_unique<host_network>(plan_.hosts);
  make_certificates();
}

void trial_cluster::make_certificates() const {
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {plan_.troupe.string(), "certs"});
    append(words, {"--dir", "certs"});
    if (!output_of(plan_.directory, words))
      throw std::runtime_error("no certificates can be made: " +
                               read_text(plan_.directory / ".errors"));
  };
  run({"init"});
  run({"issue", client});
  for (const auto& node : plan_.nodes)
    run({"issue", node.name, "--roles", node.roles});
}

const node_plan& trial_cluster::plan_of(const std::string& name) const {
  const auto it = std::ranges::find(plan_.nodes, name, &node_plan::name);
  if (it == plan_.nodes.end())
    throw std::runtime_error("there is no node named " + name);
  return *it;
}

void trial_cluster::start() {
  for (const auto& node : plan_.nodes)
    start(node.name);
}

void trial_cluster::start(const std::string& name) {
  const auto& node = plan_of(name);
  const bool is_master = name == plan_.nodes.front().name;
  const bool has_run = processes_.contains(name);
  std::vector<std::string> words;
  std::string host = "127.0.0.1";
  if (network_) {
    words = network_->on_host(node.host);
    host = host_network::address(node.host);
  }
  append(words,
         {plan_.troupe.string(), "node", "--name", name, "--roles", node.roles, "--certs", "certs",
          "--state", name, "--end-with", std::to_string(getpid()), "--log-level", "info"});
  if (node.machines > 0)
    append(words, {"--machines", std::to_string(node.machines)});
  if (node.roles.find("workload") != std::string::npos)
    append(words, {"--out", "results"});
  append(words, node.more);
  if (is_master) {
    append(words,
           {"--config", plan_.config.string(), "--expect", std::to_string(plan_.nodes.size()),
            "--listen", has_run ? master_at_ : host + ":0"});
    for (const auto& setting : plan_.overrides)
      append(words, {"--set", setting});
  } else {
    append(words, {"--listen", host + ":0", "--join", master_at_});
  }
  processes_[name].reset();
  processes_[name] =
    std::make_unique<cluster_process>(plan_.directory, words, name + ".out", name + ".log");
  if (!is_master || has_run)
    return;
  wait_for(name + " listens", [&] {
    if (process(name).has_ended())
      throw std::runtime_error(name + " has ended: " + read_text(log_file(name)));
    return fs::exists(plan_.directory / name / "address");
  });
  master_at_ = address_of(name);
}

std::string trial_cluster::address_of(const std::string& name) const {
  auto text = read_text(plan_.directory / name / "address");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

json trial_cluster::ask(const std::string& command) const {
  std::vector<std::string> words;
  if (network_)
    words = network_->on_switch();
  append(words, {plan_.troupe.string(), command, "--at", master_at_, "--certs", "certs", "--as",
                 client, "--json"});
  const auto text = output_of(plan_.directory, words);
  return text ? json::parse(*text) : json(nullptr);
}

void trial_cluster::wait_for(const std::string& what, const std::function<bool()>& holds) const {
  if (!eventually(holds, plan_.patience, pace))
    throw std::runtime_error("waited in vain until " + what);
}

json trial_cluster::wait_for_work(std::chrono::milliseconds age) const {
  json found;
  wait_for("the workload has run for " + std::to_string(age.count()) + " ms", [&] {
    found = status();
    return found.is_object() && found["workload"].is_object() &&
           found["workload"]["time_s"].get<double>() * 1000 >= static_cast<double>(age.count());
  });
  return found;
}

json trial_cluster::summary() const {
  const auto file = results() / "summary.json";
  return fs::exists(file) ? json::parse(read_text(file), nullptr, false) : json(nullptr);
}

json trial_cluster::wait_for_summary() const {
  json found;
  wait_for("there are results", [&] {
    found = summary();
    return found.is_object();
  });
  return found;
}

} // namespace troupe::trials
