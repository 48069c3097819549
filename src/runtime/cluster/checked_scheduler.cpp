#include "runtime/cluster/checked_scheduler.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/make_actor.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/send.hpp>

#include <functional>
#include <set>
#include <utility>

namespace troupe {

namespace {

/// Forwards messages, in the thread of the sender, if `look` returns true.
class gate final : public caf::monitorable_actor {
public:
  using looker = std::function<bool(const caf::type_erased_tuple&)>;

  gate(caf::actor_config& cfg, caf::strong_actor_ptr target, looker look)
    : caf::monitorable_actor(cfg), target_(std::move(target)), look_(std::move(look)) {}

  static caf::strong_actor_ptr make(caf::actor_system& system, caf::strong_actor_ptr target,
                                    looker look) {
    return make_as(system, system.next_actor_id(), std::move(target), std::move(look));
  }

  static caf::strong_actor_ptr make_as(caf::actor_system& system, caf::actor_id id,
                                       caf::strong_actor_ptr target, looker look) {
    caf::actor_config cfg{system.dummy_execution_unit()};
    return caf::make_actor<gate, caf::strong_actor_ptr>(id, system.node(), &system, cfg,
                                                        std::move(target), std::move(look));
  }

  const char* name() const override { return "plugin-proxy"; }

  std::set<std::string> message_types() const override { return target_->get()->message_types(); }

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit* host) override {
    if (look_(what->content()))
      target_->get()->enqueue(std::move(what), host);
  }

  /// Ends as its target has ended.
  void end(const caf::error& reason) {
    auto copy = reason;
    cleanup(std::move(copy), nullptr);
  }

  std::shared_ptr<plugin_listener> listener; ///< of the scheduler behind it; null: none

private:
  caf::strong_actor_ptr target_;
  looker look_;
};

template <class Message, class Use>
void use(const caf::type_erased_tuple& content, Use with) {
  if (content.match_elements<Message>())
    with(content.get_as<Message>(0));
}

/// The parts that look at the messages of one scheduler.
struct lookers {
  caf::actor_system& system;
  std::shared_ptr<scheduler_check> check;
  std::shared_ptr<plugin_listener> listener; ///< null: nothing is recorded
  run_clock clock;

  instant now() const { return system.clock().now() - clock.origin; }
};

/// Returns an actor that stands for an owner towards the scheduler: only what the check admits
/// passes.
caf::strong_actor_ptr check_owner(const lookers& of, caf::strong_actor_ptr owner, owner_id number) {
  return gate::make(of.system, std::move(owner),
                    [of, number](const caf::type_erased_tuple& content) {
                      bool passes = true;
                      use<commit_request>(content, [&](const auto& x) {
                        passes = of.check->admits(number, x);
                        if (passes && of.listener)
                          of.listener->say(number, x, of.now());
                      });
                      return passes;
                    });
}

/// Shows what the scheduler is told.
void show(const lookers& to, const caf::type_erased_tuple& content) {
  use<submission>(content, [&](const auto& x) { to.check->submitted(x); });
  use<commit_reply>(content, [&](const auto& x) { to.check->answered(x); });
  use<task_report>(content, [&](const auto& x) { to.check->reported(x); });
  use<task_news>(content, [&](const auto& x) { to.check->heard(x); });
  if (!to.listener)
    return;
  auto& records = *to.listener;
  use<submission>(content, [&](const auto& x) { records.hear(x); });
  use<sync_update>(content, [&](const auto& x) { records.hear(x); });
  use<commit_reply>(content, [&](const auto& x) { records.hear(x, to.now()); });
  use<task_report>(content, [&](const auto& x) { records.hear(x); });
  use<capacity_notice>(content, [&](const auto& x) { records.hear(x); });
  use<task_news>(content, [&](const auto& x) { records.hear(x); });
  use<sample_atom>(content, [&](const auto&) { records.ask(); });
}

bool was_told_to_quit(const caf::error& reason) {
  return reason == caf::exit_reason::user_shutdown || reason == caf::exit_reason::kill;
}

} // namespace

scheduler_actor check_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_check> check,
                                std::shared_ptr<plugin_listener> listener, run_clock clock) {
  auto target = caf::actor_cast<caf::strong_actor_ptr>(scheduler);
  const lookers all_of{system, check, listener, clock};
  auto front = gate::make(system, target, [scheduler, all_of](const auto& content) {
    if (content.template match_elements<peers>()) {
      auto all = content.template get_as<peers>(0);
      for (owner_id o = 0; o < all.owners.size(); ++o)
        all.owners[o] = check_owner(all_of, std::move(all.owners[o]), o);
      caf::anon_send(scheduler, std::move(all));
      return false;
    }
    show(all_of, content);
    return true;
  });
  static_cast<gate*>(front->get())->listener = std::move(listener);
  target->get()->attach_functor([front, check, &system](const caf::error& reason) {
    if (!was_told_to_quit(reason))
      check->ended(system.render(reason));
    static_cast<gate*>(front->get())->end(reason);
  });
  return caf::actor_cast<scheduler_actor>(std::move(front));
}

std::shared_ptr<const std::vector<queueing_machine_actor>>
listen_to_queues(caf::actor_system& system, const std::vector<queueing_machine_actor>& queues,
                 const std::shared_ptr<plugin_listener>& listener, run_clock clock) {
  std::vector<queueing_machine_actor> all;
  all.reserve(queues.size());
  const lookers of{system, nullptr, listener, clock};
  for (machine_id m = 0; m < queues.size(); ++m) {
    auto target = caf::actor_cast<caf::strong_actor_ptr>(queues[m]);
    // With numbers of their own they would change those of later actors.
    const auto id = target->id();
    all.push_back(caf::actor_cast<queueing_machine_actor>(
      gate::make_as(system, id, std::move(target), [of, m](const caf::type_erased_tuple& content) {
        auto& records = *of.listener;
        use<queue_entry>(content, [&](const auto& x) { records.say(m, x, of.now()); });
        use<task_assignment>(content, [&](const auto& x) { records.say(m, x, of.now()); });
        use<capacity_heard>(content, [&](const auto& x) { records.say(m, x); });
        return true;
      })));
  }
  return std::make_shared<const std::vector<queueing_machine_actor>>(std::move(all));
}

std::shared_ptr<plugin_listener> listener_of(const caf::strong_actor_ptr& scheduler) {
  const auto* front = scheduler ? dynamic_cast<const gate*>(scheduler->get()) : nullptr;
  return front == nullptr ? nullptr : front->listener;
}

} // namespace troupe
