#include "jobs/storm_policies.hpp"

#include "failures/eventually.hpp"

#include <algorithm>
#include <array>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;

constexpr std::array<const char*, 6> names{"adaptive",      "best-fit",   "latency-first",
                                           "quality-first", "random-fit", "worst-fit"};
constexpr const char* output = ".policy";
constexpr question_pace pace{200ms, 1s};
/// For reports of nodes and schedulers after the last fault.
constexpr auto report_patience = 30s;

std::string key_of(const std::string& policy, const std::string& tau) {
  return policy + (tau.empty() ? "" : ' ' + tau);
}

/// Of a scheduler of `troupe policy --json`.
std::string key_of(const json& scheduler) {
  return key_of(scheduler["policy"].get<std::string>(), scheduler["settings"].value("tau", ""));
}

std::string key_of(const ordered_policy_row& row) {
  constexpr std::string_view tau = "tau=";
  for (const auto& setting : json::parse(row.settings))
    if (const auto text = setting.get<std::string>(); text.starts_with(tau))
      return key_of(row.policy, text.substr(tau.size()));
  return row.policy;
}

std::string list_of(const std::set<std::string>& keys) {
  std::string text;
  for (const auto& key : keys)
    text += (text.empty() ? "" : " or ") + key;
  return text;
}

} // namespace

std::vector<std::string>
expected_policies::faults_in(const std::vector<ordered_policy_row>& kept) const {
  std::vector<std::string> faults;
  auto missing = ordered;
  for (const auto& row : kept) {
    missing.erase(row.scheduler);
    const auto known = of.find(row.scheduler);
    if (known == of.end() || !known->second.contains(key_of(row)))
      faults.push_back("the store has " + key_of(row) + " for scheduler " +
                       std::to_string(row.scheduler) + " instead of " +
                       (known == of.end() ? "nothing" : list_of(known->second)));
  }
  for (const auto s : missing)
    faults.push_back("the store has no order for scheduler " + std::to_string(s));
  return faults;
}

policy_setter::policy_setter(trial_cluster& cluster, std::uint64_t seed,
                             expected_policies& expected)
  : cluster_(cluster), draw_(seed), expected_(expected) {
  json all;
  cluster_.wait_for("the schedulers have policies", [&] {
    all = policies();
    return all.is_object() && !all["schedulers"].empty();
  });
  for (const auto& s : all["schedulers"])
    if (s["changeable"]) {
      expected_.of[s["number"].get<std::uint32_t>()] = {key_of(s)};
      under_way_.policy = s["policy"].get<std::string>();
    }
}

json policy_setter::policies() const {
  return ask_api(cluster_, "/api/v1/policies").value_or(nullptr);
}

policy_setter::order policy_setter::draw_order() {
  order made;
  do
    made.policy = names.at(draw_() % names.size());
  while (made.policy == under_way_.policy); // else nobody could see it
  if (made.policy == "adaptive")
    made.tau = std::to_string(1 + draw_() % 900) + "ms"; // no two orders are likely the same
  if (draw_() % 4 == 0)
    made.scheduler =
      std::next(expected_.of.begin(), static_cast<std::ptrdiff_t>(draw_() % expected_.of.size()))
        ->first;
  return made;
}

void policy_setter::begin() {
  if (expected_.of.empty() || (begun_ && draw_() % 2 == 0))
    return;
  begun_ = true;
  under_way_ = draw_order();
  std::vector<std::string> words{"policy", "set", under_way_.policy, "--json"};
  if (!under_way_.tau.empty())
    words.insert(words.end(), {"--set", "policy.tau=" + under_way_.tau});
  if (under_way_.scheduler)
    words.insert(words.end(), {"--scheduler", std::to_string(*under_way_.scheduler)});
  client_ = std::make_unique<cluster_process>(cluster_.plan().directory,
                                              client_words(cluster_, words), output, ".errors");
}

void policy_setter::end() {
  if (!client_)
    return;
  client_->wait();
  client_.reset();
  const auto key = key_of(under_way_.policy, under_way_.tau);
  // It says what was ordered also if not all schedulers have confirmed in time.
  const auto told = json::parse(read_text(cluster_.plan().directory / output), nullptr, false);
  if (!told.is_object() || !told.contains("changes")) {
    for (auto& [scheduler, keys] : expected_.of)
      if (!under_way_.scheduler || *under_way_.scheduler == scheduler)
        keys.insert(key);
    return;
  }
  ++answered_;
  for (const auto& change : told["changes"])
    for (const std::uint32_t s : change["schedulers"]) {
      expected_.of[s] = {key};
      expected_.ordered.insert(s);
    }
}

std::vector<std::string> policy_setter::faults() {
  std::vector<std::string> found;
  if (!expected_.of.empty())
    eventually(
      [&] {
        found = differences();
        return found.empty();
      },
      report_patience, pace);
  return found;
}

std::vector<std::string> policy_setter::differences() const {
  const auto meant = policies();
  const auto top = cluster_.ask("top");
  if (!meant.is_object() || !top.is_object())
    return {"the cluster does not tell its policies"};
  std::map<std::uint32_t, std::string> said;
  for (const auto& s : top["schedulers"])
    said[s["number"].get<std::uint32_t>()] = s.value("policy", "");
  std::vector<std::string> found;
  for (const auto& s : meant["schedulers"]) {
    const std::uint32_t number = s["number"];
    const auto known = expected_.of.find(number);
    if (known == expected_.of.end())
      continue;
    const auto who = "scheduler " + std::to_string(number);
    if (!known->second.contains(key_of(s)))
      found.push_back(who + " is to have " + key_of(s) + " instead of " + list_of(known->second));
    else if (s["state"] != "in force")
      found.push_back(who + " is " + s["state"].get<std::string>());
    else if (const auto policy = s["policy"].get<std::string>(); said[number] != policy)
      found.push_back(who + " has " + said[number] + " instead of " + policy);
  }
  return found;
}

} // namespace troupe::trials
