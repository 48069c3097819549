#include "model/base/log.hpp"
#include "nodes/agent/incarnation_file.hpp"
#include "nodes/agent/node_agent.hpp"
#include "nodes/agent/shifted_source.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/run/live_about.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

constexpr const char* workload_file = "workload-incarnation";

} // namespace

recorder_config node_agent::recorder_of(const address& as) {
  const run_clock from_work{
    clock_.origin + std::chrono::duration_cast<caf::actor_clock::duration_type>(work_from_)};
  auto config = recorder_config_of(*settings_, {catalog_, record_, from_work});
  config.reach = reach_from(as);
  config.find_nodes = [this, as] {
    std::vector<node_reference> found;
    const std::lock_guard guard{mutex_};
    for (const auto index : machine_nodes_) {
      const auto incarnation = mail_->incarnation_of(member_address(role::node, index, 0));
      if (const auto handle = mail_->find(as, member_address(role::node, index, incarnation)))
        found.push_back({index, incarnation, caf::actor_cast<node_actor>(handle)});
    }
    return found;
  };
  config.finds_allocator = settings_->sync.plan == sync_plan_kind::offers;
  config.patience = settings_->failures.timeout;
  config.begins = work_from_;
  return config;
}

bool node_agent::start_workload() {
  const std::lock_guard lock{mutex_};
  if (works_ || !begun_ || !who_.roles.workload)
    return works_;
  const auto places = places_of(*settings_, 0);
  // A restarted master gives no place to an owner before it has heard from the job stores.
  const bool goes_on = resumes_ && settings_->runs_commands();
  for (const auto& p : places.entries)
    if (!goes_on && !mail_->knows(member_address(p.what, p.number, 0)))
      return false;
  for (machine_id m = 0; m < catalog_->machines() && !catalog_->grows(); ++m)
    if (!goes_on && !mail_->knows(member_address(role::machine, m, 0)))
      return false;
  works_ = true;
  const auto last = member_address(role::workload, 0, 0); // on another host, whose clock may differ
  const bool is_first =
    !settings_->runs_commands() && !resumes_ && now() >= instant{0} && !mail_->knows(last);
  if (is_first) // of a new cluster
    take_back(state_ / workload_file, life_by_clock());
  const auto incarnation =
    std::max(timed_number(workload_file), mail_->knows(last) ? mail_->incarnation_of(last) + 1 : 0);
  work_from_ = work_begins(incarnation);
  if (const auto soon = now() + lead(); !follows_work()) // nothing else follows that time
    work_from_ = std::min(work_from_, soon);
  else if (work_from_ > soon + std::chrono::seconds{1})
    log::warn("node {}: the workload begins in {} s, when the clock of this host is where it was "
              "as the last one began: it has gone back",
              who_.name, std::chrono::ceil<std::chrono::seconds>(work_from_ - now()).count());
  auto sources = sources_of(*settings_);
  if (settings_->runs_commands() && jobs_of_clients)
    sources.front() = jobs_of_clients;
  for (std::uint32_t g = 0; g < settings_->groups.size(); ++g) {
    const member_entry as{role::workload, g, incarnation};
    const auto handle =
      members_->spawn_workload(start_of({as, duration{0}, {0, 0, places.entries}}),
                               std::make_shared<shifted_source>(sources[g], work_from_));
    put(member_address(as.what, as.number, as.incarnation), handle);
    caf::anon_send(caf::actor_cast<workload_actor>(handle), peers{});
  }
  auto about = live_about_of(*settings_);
  about.world = "cluster";
  about.origin = to_seconds(duration{origin_} + work_from_);
  record_->live->begin(std::move(about));
  const address as{party::recorder, role::workload, index_, 0};
  recorder_ = system_.spawn(troupe::recorder, recorder_of(as));
  mail_->settle(as, caf::actor_cast<caf::strong_actor_ptr>(recorder_));
  return true;
}

void node_agent::follow_keeper() {
  const std::lock_guard lock{mutex_};
  const auto workload = member_address(role::workload, 0, 0);
  if (!begun_ || !settings_->runs_commands() || !mail_->knows(workload))
    return;
  const auto incarnation = mail_->incarnation_of(workload);
  const auto before = std::exchange(keeper_, std::max(keeper_, incarnation));
  if (before == 0 || incarnation <= before)
    return;
  std::vector<member> ended;
  std::erase_if(living_, [&](const auto& l) {
    if (l.first.kind != party::member || l.first.what != role::scheduler)
      return false;
    caf::anon_send_exit(l.second, caf::exit_reason::user_shutdown);
    mail_->leave(l.first);
    ended.push_back({l.first.what, l.first.number});
    return true;
  });
  if (ended.empty())
    return;
  log::info("node {}: the jobs are handed out anew, so {} schedulers begin anew", who_.name,
            ended.size());
  on_change();
  if (!draining_)
    fill_standbys();
  for (const auto& who : ended) // or the master would wait until they are silent
    hand_over(who);
}

void node_agent::look_at_cluster() {
  const std::lock_guard lock{mutex_};
  if (!works_)
    return;
  most_machines_ = std::max(most_machines_, machine_nodes_.size());
  auto places = places_of(*settings_, 0).entries;
  places.push_back({role::master, 0, 0});
  std::vector<member_home> homes;
  for (auto& p : places) {
    const auto as = member_address(p.what, p.number, 0);
    const auto node = mail_->node_of(as);
    if (!node)
      continue;
    p.incarnation = mail_->incarnation_of(as);
    homes.push_back({p, node->empty() ? who_.name : *node});
  }
  events_.look(std::max(instant{0}, instant{now() - work_from_}), nodes_, homes);
  policy_history_.note(*settings_, now(), work_from_, *record_->live, events_);
}

std::vector<run_event> node_agent::cluster_history() const {
  const std::lock_guard lock{mutex_};
  return events_.events();
}

std::size_t node_agent::most_machines() const {
  const std::lock_guard lock{mutex_};
  return most_machines_;
}

bool node_agent::workload_waits() const {
  const std::lock_guard lock{mutex_};
  return begun_ && who_.roles.workload && !works_;
}

std::int64_t node_agent::time_of_day() const {
  const std::lock_guard lock{mutex_};
  return begun_ ? origin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(now()).count()
                : utc_ns();
}

duration node_agent::work_time() const {
  const std::lock_guard lock{mutex_};
  return works_ ? now() - work_from_ : duration{0};
}

void node_agent::flush() {
  caf::scoped_actor self{system_};
  self->request(recorder_, std::chrono::minutes{1}, flush_atom_v)
    .receive([](caf::ok_atom) {},
             [&](caf::error& e) { throw std::runtime_error(system_.render(e)); });
}

} // namespace troupe
