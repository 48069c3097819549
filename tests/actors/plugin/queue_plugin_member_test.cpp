#include "actors/plugin/queue_plugin_member.hpp"
#include "actors/sparrow_neighbours.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

struct prober_inbox {
  sparrow_inbox events;
  inbox<submission> submissions;
  task_counts counts; ///< what it says that it has
  bool answers = true;
};

/// Hears notices, and answers requests with the first task of job 1.
queue_client_actor::behavior_type fake_prober(queue_client_actor::pointer self, prober_inbox* got,
                                              queue_fronts fronts) {
  const auto to = [fronts](machine_id m) { return (*fronts.handles())[m]; };
  return {[](const peers&) {},
          keep(got->submissions, self),
          [got](sample_atom) {
            scheduler_status status{0, false, {}};
            status.samples.emplace_back();
            status.samples.back().sample.tasks = got->counts;
            return status;
          },
          [to](const get_task_request& request) {
            task_assignment answer{false, request.group, {}};
            answer.order.task.job = request.job;
            answer.order.demand = resources::of_slots(1);
            caf::anon_send(to(request.machine), answer);
          },
          keep(got->events.answers, self),
          keep(got->events.news, self),
          [got, to, self](const capacity_notice& what) {
            got->events.notices.emplace_back(virtual_clock::to_instant(self->clock().now()), what);
            if (got->answers)
              caf::anon_send(to(what.machine), capacity_heard{0, what.number});
          }};
}

/// Keeps what a machine in session is told.
struct orders_inbox {
  std::vector<queue_orders> messages;

  std::vector<queue_order> orders() const {
    std::vector<queue_order> all;
    for (const auto& w : messages)
      all.insert(all.end(), w.orders.begin(), w.orders.end());
    return all;
  }
};

queueing_machine_actor::behavior_type fake_queue(queueing_machine_actor::pointer,
                                                 orders_inbox* got) {
  return {[](const machine_order&) {},
          [](ended_atom, run_number, const task_end&) {},
          [](const queue_entry&) {},
          [](const task_assignment&) {},
          [](const cancellation&) {},
          [](const queue_probe&) {},
          [](steal_atom, machine_id) {},
          [](const stolen_entries&) {},
          [](const machine_capacity&) {},
          [](const capacity_heard&) {},
          [got](const queue_orders& orders) { got->messages.push_back(orders); },
          [](const process_lease&) {},
          [](const lease_reply&) {},
          [](heartbeat_atom) {},
          [](wake_atom) {},
          [](leave_atom) {}};
}

/// A plugin's scheduler with one machine, in its first incarnation.
struct prober_stage {
  prober_inbox plugin;
  orders_inbox machine;
  std::vector<std::string> faults;
  bool retired = false;
  std::shared_ptr<const catalog> machines = slot_machines(1, 2, 1);
  world w;
  queueing_machine_actor queue;
  queue_fronts fronts{w.system(), 1};
  queue_client_actor of_plugin;
  queue_plugin_actor member;

  prober_stage() {
    queue = w.system().spawn(fake_queue, &machine);
    of_plugin = w.system().spawn(fake_prober, &plugin, fronts);
    queue_plugin_config config;
    config.machines = machines;
    config.session.rules.stores = {0};
    config.session.failover.as = {role::scheduler, 0, 1};
    config.session.failover.heartbeat = 500ms;
    config.session.failover.reach = [this](role what, std::uint32_t, incarnation_id) {
      return what == role::machine ? caf::actor_cast<caf::strong_actor_ptr>(queue)
                                   : caf::strong_actor_ptr{};
    };
    config.session.failover.retire = [this] { retired = true; };
    config.plugin = of_plugin;
    config.fronts = fronts;
    config.check =
      std::make_shared<scheduler_check>(0, machines, std::vector<owner_id>{0}, "plugin 'x'",
                                        [this](const std::string& why) { faults.push_back(why); });
    config.clock = {w.clock().now()};
    member = w.system().spawn(queue_plugin_member, std::move(config));
    w.settle();
  }

  ~prober_stage() { caf::anon_send_exit(member, caf::exit_reason::kill); }

  template <class... Content>
  void tell(Content... content) {
    caf::anon_send(member, std::move(content)...);
    w.settle();
  }

  queue_report report(incarnation_id of_machine = 1) {
    queue_report b{0, of_machine, 0, 1, virtual_clock::to_instant(w.clock().now())};
    return b;
  }

  void join(incarnation_id of_machine = 1) {
    heartbeat_reply answer;
    answer.answers = virtual_clock::to_instant(w.clock().now());
    tell(answer);
    auto b = report(of_machine);
    b.joins = true;
    tell(b);
  }

  void begin(std::uint32_t tasks) {
    join();
    tell(job_delivery{0, 1, 1, false, {{slot_job(1, tasks), {}}}});
  }

  void report(std::uint64_t number, queue_event what) {
    auto b = report();
    b.first_event = number;
    b.orders_seen = 100;
    b.events = {std::move(what)};
    tell(b);
  }

  template <class Message>
  void order(const Message& what) {
    caf::anon_send((*fronts.handles())[0], what);
    w.settle();
  }

  queue_entry reservation() const {
    queue_entry entry;
    entry.order.task.job = 1;
    entry.order.demand = resources::of_slots(1);
    return entry;
  }
};

} // namespace

TEST_CASE_FIXTURE(prober_stage, "a plugin reserves, hands a task out, and hears of its task") {
  begin(1);
  REQUIRE(plugin.submissions.size() == 1);
  order(reservation());
  REQUIRE(machine.orders().size() == 1);
  CHECK(std::holds_alternative<queue_entry>(machine.orders()[0]));
  report(1, get_task_request{1, 0, 0, 0, -1});
  REQUIRE(machine.orders().size() == 2);
  CHECK(std::get<task_assignment>(machine.orders()[1]).order.task == task(0));
  report(2, task_start{task(0), 0, 1s});
  report(3, machine_event{1, 0, {task(0), 0, task_outcome::finished, 2s}});
  REQUIRE(plugin.events.news.size() == 2);
  CHECK(plugin.events.news[0].second.started.size() == 1);
  CHECK(plugin.events.news[1].second.ended.size() == 1);
  CHECK(faults.empty());
  CHECK(ask<scheduler_status>(w, member, sample_atom_v).idle);
}

TEST_CASE_FIXTURE(prober_stage, "what a plugin sends to a machine before it hears of it is void") {
  begin(1);
  plugin.answers = false;
  join(2); // the machine is back as another incarnation
  REQUIRE(plugin.events.notices.size() == 2);
  CHECK(plugin.events.notices[0].second.capacity.is_zero());
  order(reservation());
  CHECK(machine.orders().empty());
  order(capacity_heard{0, 2});
  order(reservation());
  CHECK(machine.orders().size() == 1);
  CHECK(faults.empty());
}

TEST_CASE_FIXTURE(prober_stage, "a fault of a plugin that uses queues goes no further") {
  begin(1);
  auto entry = reservation();
  entry.order.launcher = 5;
  order(entry);
  order(reservation());
  CHECK(machine.orders().empty());
  CHECK(faults == std::vector<std::string>{
                    "plugin 'x': scheduler 0 sends an entry in the name of scheduler 5"});
}

TEST_CASE_FIXTURE(prober_stage, "the actor of a plugin that uses queues ends with its member") {
  const auto actor = caf::actor_cast<caf::strong_actor_ptr>(of_plugin);
  tell(membership{1, 2, {{role::scheduler, 0, 2}}});
  CHECK(retired);
  CHECK(actor->get()->getf(caf::abstract_actor::is_cleaned_up_flag));
  CHECK(faults.empty());
}

TEST_CASE_FIXTURE(prober_stage, "tasks that a plugin that uses queues gives up are over") {
  begin(2);
  plugin.counts.queued = 2;
  CHECK(ask<scheduler_status>(w, member, sample_atom_v).places.queued == 2);
  plugin.counts = {};
  plugin.counts.abandoned = 2;
  const auto status = ask<scheduler_status>(w, member, sample_atom_v);
  CHECK(status.idle);
  CHECK(status.samples.at(0).sample.tasks.abandoned == 2);
}
