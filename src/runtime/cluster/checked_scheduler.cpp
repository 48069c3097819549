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
    caf::actor_config cfg{system.dummy_execution_unit()};
    return caf::make_actor<gate, caf::strong_actor_ptr>(
      system.next_actor_id(), system.node(), &system, cfg, std::move(target), std::move(look));
  }

  const char* name() const override { return "plugin-guard"; }

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

private:
  caf::strong_actor_ptr target_;
  looker look_;
};

template <class Message, class Use>
void use(const caf::type_erased_tuple& content, Use with) {
  if (content.match_elements<Message>())
    with(content.get_as<Message>(0));
}

/// Returns an actor that stands for an owner towards the scheduler: only what `check` admits
/// passes.
caf::strong_actor_ptr check_owner(caf::actor_system& system, caf::strong_actor_ptr owner,
                                  owner_id number, std::shared_ptr<scheduler_check> check) {
  return gate::make(system, std::move(owner),
                    [check = std::move(check), number](const caf::type_erased_tuple& content) {
                      bool passes = true;
                      use<commit_request>(
                        content, [&](const auto& x) { passes = check->admits(number, x); });
                      return passes;
                    });
}

bool was_told_to_quit(const caf::error& reason) {
  return reason == caf::exit_reason::user_shutdown || reason == caf::exit_reason::kill;
}

} // namespace

scheduler_actor check_scheduler(caf::actor_system& system, const scheduler_actor& scheduler,
                                std::shared_ptr<scheduler_check> check) {
  auto target = caf::actor_cast<caf::strong_actor_ptr>(scheduler);
  auto front = gate::make(system, target, [&system, scheduler, check](const auto& content) {
    if (content.template match_elements<peers>()) {
      auto all = content.template get_as<peers>(0);
      for (owner_id o = 0; o < all.owners.size(); ++o)
        all.owners[o] = check_owner(system, std::move(all.owners[o]), o, check);
      caf::anon_send(scheduler, std::move(all));
      return false;
    }
    use<submission>(content, [&](const auto& x) { check->submitted(x); });
    use<commit_reply>(content, [&](const auto& x) { check->answered(x); });
    use<task_report>(content, [&](const auto& x) { check->reported(x); });
    use<task_news>(content, [&](const auto& x) { check->heard(x); });
    return true;
  });
  target->get()->attach_functor([front, check, &system](const caf::error& reason) {
    if (!was_told_to_quit(reason))
      check->ended(system.render(reason));
    static_cast<gate*>(front->get())->end(reason);
  });
  return caf::actor_cast<scheduler_actor>(std::move(front));
}

} // namespace troupe
