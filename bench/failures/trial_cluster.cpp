#include "failures/trial_cluster.hpp"

#include "failures/eventually.hpp"
#include "security/authority.hpp"
#include "settings/schema/varied_setting.hpp"

#include <algorithm>
#include <stdexcept>
#include <unistd.h>

namespace troupe::trials {

namespace fs = std::filesystem;

namespace {

/// Failures begin at set times.
constexpr question_pace pace{std::chrono::milliseconds{50}, std::chrono::milliseconds{500}};
constexpr std::size_t longest_story = 3000; ///< of a node, in characters
const std::string client = "client";
const std::string certs_folder = "certs";

bool is_keeper(const node_plan& node) {
  return node.roles.find("master") != std::string::npos;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

} // namespace

trial_cluster::trial_cluster(cluster_plan plan) : plan_(std::move(plan)) {
  fs::create_directories(plan_.directory);
  if (plan_.hosts > 0)
    network_ = std::make_unique<host_network>(plan_.hosts);
  else
    for (const auto& name : keepers())
      keepers_at_[name] = ports_.emplace_back().address();
  make_certificates();
}

void trial_cluster::make_certificates() const {
  const auto now = std::chrono::system_clock::now();
  authority::create(plan_.directory / certs_folder, now)
    .issue({client}, authority::node_lifetime, now);
  for (const auto& node : plan_.nodes)
    make_certificate(node);
}

void trial_cluster::make_certificate(const node_plan& node) const {
  const auto roles = split_at_commas(node.roles);
  authority::load(plan_.directory / certs_folder)
    .issue({node.name, {roles.begin(), roles.end()}}, authority::node_lifetime,
           std::chrono::system_clock::now());
}

void trial_cluster::add(node_plan node) {
  make_certificate(node);
  plan_.nodes.push_back(std::move(node));
}

const node_plan& trial_cluster::plan_of(const std::string& name) const {
  const auto it = std::ranges::find(plan_.nodes, name, &node_plan::name);
  if (it == plan_.nodes.end())
    throw std::runtime_error("there is no node named " + name);
  return *it;
}

std::vector<std::string> trial_cluster::keepers() const {
  std::vector<std::string> names;
  for (const auto& node : plan_.nodes)
    if (is_keeper(node))
      names.push_back(node.name);
  return names;
}

/// The addresses at which other nodes join.
std::string trial_cluster::join() const {
  std::string all;
  for (const auto& [_, address] : keepers_at_)
    all += (all.empty() ? "" : ",") + address;
  return all;
}

void trial_cluster::start() {
  for (const auto& node : plan_.nodes)
    start(node.name);
}

void trial_cluster::start(const std::string& name) {
  const auto& node = plan_of(name);
  const bool keeps = is_keeper(node);
  const bool is_new = !processes_.contains(name);
  std::vector<std::string> words;
  std::string host = "127.0.0.1";
  if (network_) {
    words = network_->on_host(node.host);
    host = host_network::address(node.host);
  }
  append(words, {plan_.troupe.string(), "node", "--name", name, "--roles", node.roles, "--certs",
                 certs_folder, "--state", name, "--end-with", std::to_string(getpid()),
                 "--log-level", "info"});
  if (node.machines > 0)
    append(words, {"--machines", std::to_string(node.machines)});
  if (node.roles.find("workload") != std::string::npos)
    append(words, {"--out", keeps && name != keepers().front() ? "results-" + name : "results"});
  append(words, node.more);
  if (keeps) {
    append(words, {"--config", plan_.config.string(), "--listen",
                   keepers_at_.contains(name) ? keepers_at_.at(name) : host + ":0"});
    if (keepers().size() == 1)
      append(words, {"--expect", std::to_string(plan_.nodes.size())});
    for (const auto& setting : plan_.overrides)
      append(words, {"--set", setting});
  } else {
    append(words, {"--listen", host + ":0", "--join", join()});
  }
  processes_[name].reset();
  processes_[name] =
    std::make_unique<cluster_process>(plan_.directory, words, name + ".out", name + ".log");
  if (!keeps || !is_new || keepers().size() > 1) // a standby tells no address
    return;
  wait_for(name + " listens", [&] {
    if (process(name).has_ended())
      throw std::runtime_error(name + " has ended: " + read_text(log_file(name)));
    return fs::exists(plan_.directory / name / "address");
  });
  keepers_at_[name] = address_of(name);
}

std::string trial_cluster::address_of(const std::string& name) const {
  auto text = read_text(plan_.directory / name / "address");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

json trial_cluster::ask(const std::string& command) const {
  for (const auto& [_, address] : keepers_at_) {
    std::vector<std::string> words;
    if (network_)
      words = network_->on_switch();
    append(words, {plan_.troupe.string(), command, "--at", address, "--certs", certs_folder, "--as",
                   client, "--json"});
    if (const auto text = output_of(plan_.directory, words))
      return json::parse(*text);
  }
  return nullptr;
}

json trial_cluster::status() const {
  if (network_)
    return ask("status");
  for (const auto& [name, address] : keepers_at_)
    if (auto all = keepers_asked_[name].ask(address, plan_.directory / certs_folder, client);
        !all.is_null())
      return all;
  return nullptr;
}

void trial_cluster::wait_for(const std::string& what, const std::function<bool()>& holds) const {
  if (!eventually(holds, plan_.patience, pace))
    throw std::runtime_error("waited in vain until " + what + story());
}

/// What all nodes have said last, to find out why a state has not come.
std::string trial_cluster::story() const {
  std::string told;
  for (const auto& [name, process] : processes_) {
    const auto log = read_text(log_file(name));
    told += '\n' + name + (process->has_ended() ? " has ended" : " runs") +
            "; its log ends with:\n" + log.substr(log.size() - std::min(log.size(), longest_story));
  }
  return told;
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
