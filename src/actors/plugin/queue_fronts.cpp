#include "actors/plugin/queue_fronts.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/make_actor.hpp>
#include <caf/make_message.hpp>
#include <caf/monitorable_actor.hpp>

#include <mutex>
#include <utility>

namespace troupe {

/// Whom the fronts lead to.
struct queue_fronts::target {
  std::mutex mutex;
  caf::strong_actor_ptr member;

  caf::strong_actor_ptr get() {
    const std::lock_guard lock{mutex};
    return member;
  }
};

namespace {

class queue_front final : public caf::monitorable_actor {
public:
  queue_front(caf::actor_config& cfg, machine_id machine, std::shared_ptr<queue_fronts::target> to)
    : caf::monitorable_actor(cfg), machine_(machine), to_(std::move(to)) {}

  const char* name() const override { return "queue-front"; }

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit* host) override {
    const auto& content = what->content();
    pass<queue_entry>(content, host) || pass<task_assignment>(content, host) ||
      pass<cancellation>(content, host) || pass<queue_probe>(content, host) ||
      pass<capacity_heard>(content, host);
  }

private:
  template <class Message>
  bool pass(const caf::type_erased_tuple& content, caf::execution_unit* host) {
    if (!content.match_elements<Message>())
      return false;
    if (const auto member = to_->get())
      member->get()->enqueue(nullptr, caf::make_message_id(),
                             caf::make_message(machine_, content.get_as<Message>(0)), host);
    return true;
  }

  machine_id machine_;
  std::shared_ptr<queue_fronts::target> to_;
};

} // namespace

queue_fronts::queue_fronts(caf::actor_system& system, std::size_t machines)
  : target_(std::make_shared<target>()) {
  std::vector<queueing_machine_actor> all;
  all.reserve(machines);
  for (machine_id m = 0; m < machines; ++m) {
    caf::actor_config cfg{system.dummy_execution_unit()};
    all.push_back(
      caf::actor_cast<queueing_machine_actor>(caf::make_actor<queue_front, caf::strong_actor_ptr>(
        system.next_actor_id(), system.node(), &system, cfg, m, target_)));
  }
  handles_ = std::make_shared<const std::vector<queueing_machine_actor>>(std::move(all));
}

void queue_fronts::lead_to(caf::strong_actor_ptr member) const {
  const std::lock_guard lock{target_->mutex};
  target_->member.swap(member);
}

} // namespace troupe
