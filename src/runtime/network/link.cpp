#include "runtime/network/link.hpp"

#include "runtime/time/virtual_clock.hpp"

#include <caf/actor_config.hpp>
#include <caf/make_actor.hpp>
#include <caf/make_message.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/system_messages.hpp>

#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

class link;

// A target's record of a link to it. It keeps the link alive as soon as an actor monitors the
// target's end.
struct obituary {
  explicit obituary(bool concurrent)
    : mutex(concurrent ? std::make_unique<std::mutex>() : nullptr) {}

  std::unique_lock<std::mutex> lock() {
    return mutex ? std::unique_lock{*mutex} : std::unique_lock<std::mutex>{};
  }

  std::unique_ptr<std::mutex> mutex; // null for one thread
  caf::weak_actor_ptr self;
  caf::strong_actor_ptr kept;
  bool over = false;
};

class link final : public caf::monitorable_actor {
public:
  link(caf::actor_config& cfg, caf::strong_actor_ptr target, std::shared_ptr<network> net,
       const std::string& from, const std::string& to, message_joiner join)
    : caf::monitorable_actor(cfg),
      there_(net->between(from, to)),
      target_(std::move(target)),
      net_(std::move(net)),
      clock_(home_system().clock()),
      virtual_clock_(dynamic_cast<virtual_clock*>(&clock_)),
      join_(virtual_clock_ == nullptr ? nullptr : join),
      back_(net_->between(to, from)) {}

  static caf::strong_actor_ptr make(caf::actor_system& system, caf::strong_actor_ptr target,
                                    std::shared_ptr<network> net, const std::string& from,
                                    const std::string& to, message_joiner join, link* twin) {
    caf::actor_config cfg{system.dummy_execution_unit()};
    auto result = caf::make_actor<link, caf::strong_actor_ptr>(
      system.next_actor_id(), system.node(), &system, cfg, std::move(target), std::move(net), from,
      to, join);
    auto* self = static_cast<link*>(result->get());
    if (twin != nullptr) {
      self->twin_ = twin->ctrl();
      self->twin_target_ = twin->target_->id();
    }
    self->watch_target();
    return result;
  }

  const char* name() const override { return "network-link"; }

  std::set<std::string> message_types() const override { return target_->get()->message_types(); }

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit* host) override {
    if (what->sender == ctrl() && what->content().match_elements<caf::down_msg>()) {
      cleanup(std::move(what->content().get_mutable_as<caf::down_msg>(0).reason), host);
      return;
    }
    const auto arrival = there_.send(now());
    if (!arrival)
      return;
    if (what->sender)
      what->sender = stand_in(what->sender);
    if (join_ == nullptr)
      deliver(*arrival, there_, target_, std::move(what));
    else if (!joins_latest(*arrival, *what))
      latest_ = {*arrival, schedule(*arrival, there_, target_, std::move(what))};
  }

  void attach(caf::attachable_ptr what) override {
    stay();
    caf::monitorable_actor::attach(std::move(what));
  }

  bool add_backlink(caf::abstract_actor* other) override {
    stay();
    return caf::monitorable_actor::add_backlink(other);
  }

  bool cleanup(caf::error&& reason, caf::execution_unit* host) override {
    if (!caf::monitorable_actor::cleanup(std::move(reason), host))
      return false;
    if (const auto twin = caf::actor_cast<caf::strong_actor_ptr>(twin_))
      static_cast<link*>(twin->get())->forget(target_->id());
    return true;
  }

private:
  struct scheduled_message {
    instant arrives{0};
    event_place at;
  };

  instant now() const {
    return (virtual_clock_ != nullptr ? virtual_clock_->now() : clock_.now()) - net_->origin();
  }

  // Puts a message to the latest one, if that arrives at the same later instant.
  bool joins_latest(instant arrives, const caf::mailbox_element& what) {
    if (arrives != latest_.arrives || arrives <= now())
      return false;
    auto* const pending = virtual_clock_->pending(latest_.at);
    return pending != nullptr && join_(*pending, what);
  }

  event_place schedule(instant at, const channel& through, caf::strong_actor_ptr receiver,
                       caf::mailbox_element_ptr what) {
    return virtual_clock_->schedule(net_->origin() + at, through.key(), std::move(receiver),
                                    std::move(what));
  }

  std::unique_lock<std::mutex> lock() {
    return mutex_ ? std::unique_lock{*mutex_} : std::unique_lock<std::mutex>{};
  }

  void deliver(instant at, const channel& through, caf::strong_actor_ptr receiver,
               caf::mailbox_element_ptr what) {
    if (virtual_clock_ != nullptr)
      schedule(at, through, std::move(receiver), std::move(what));
    else
      clock_.schedule_message(net_->origin() + at, std::move(receiver), std::move(what));
  }

  // Returns the actor that represents `sender` on the target's side.
  caf::strong_actor_ptr stand_in(const caf::strong_actor_ptr& sender) {
    const auto id = sender->id();
    if (id == twin_target_)
      if (auto twin = caf::actor_cast<caf::strong_actor_ptr>(twin_))
        return twin;
    const auto guard = lock();
    if (id == last_sender_)
      return last_stand_in_;
    if (!stand_ins_)
      stand_ins_ = std::make_unique<stand_in_map>();
    auto& entry = (*stand_ins_)[id];
    if (!entry)
      entry = make(home_system(), sender, net_, there_.to(), there_.from(), nullptr, this);
    last_sender_ = id;
    last_stand_in_ = entry;
    return entry;
  }

  void forget(caf::actor_id sender) {
    caf::strong_actor_ptr first;
    caf::strong_actor_ptr second;
    const auto guard = lock();
    if (stand_ins_)
      if (const auto i = stand_ins_->find(sender); i != stand_ins_->end()) {
        first = std::move(i->second);
        stand_ins_->erase(i);
      }
    if (sender == last_sender_) {
      second = std::move(last_stand_in_);
      last_sender_ = caf::invalid_actor_id;
    }
  }

  void watch_target() {
    obituary_->self = ctrl();
    target_->get()->attach_functor([record = obituary_](const caf::error& reason) {
      caf::strong_actor_ptr self;
      {
        const auto guard = record->lock();
        record->over = true;
        self = record->kept ? std::move(record->kept)
                            : caf::actor_cast<caf::strong_actor_ptr>(record->self);
        record->self = nullptr;
      }
      if (self)
        static_cast<link*>(self->get())->target_ended(reason);
    });
  }

  void target_ended(const caf::error& reason) {
    caf::strong_actor_ptr self{ctrl()};
    auto news = caf::make_mailbox_element(self, caf::make_message_id(), {},
                                          caf::down_msg{target_->address(), reason});
    deliver(back_.send_surely(now()), back_, std::move(self), std::move(news));
  }

  void stay() {
    const auto guard = obituary_->lock();
    if (!obituary_->over)
      obituary_->kept = ctrl();
  }

  // What each message needs comes first: it lies close together in memory.
  channel& there_;
  caf::strong_actor_ptr target_;
  std::shared_ptr<network> net_;
  caf::actor_clock& clock_;
  virtual_clock* virtual_clock_;
  message_joiner join_;
  scheduled_message latest_; // in virtual time, and only if messages are joined

  // The link in the other direction that this one represents, and its target.
  caf::weak_actor_ptr twin_;
  caf::actor_id twin_target_ = caf::invalid_actor_id;

  // Guarded by the mutex, as the stand-ins are.
  caf::actor_id last_sender_ = caf::invalid_actor_id;
  caf::strong_actor_ptr last_stand_in_;

  channel& back_;
  std::shared_ptr<obituary> obituary_ = std::make_shared<obituary>(net_->concurrent());

  using stand_in_map = std::unordered_map<caf::actor_id, caf::strong_actor_ptr>;

  std::unique_ptr<std::mutex> mutex_ = // null for one thread
    net_->concurrent() ? std::make_unique<std::mutex>() : nullptr;
  std::unique_ptr<stand_in_map> stand_ins_; // of senders that need one
};

} // namespace

caf::strong_actor_ptr make_link(caf::actor_system& system, caf::strong_actor_ptr target,
                                std::shared_ptr<network> net, const std::string& from,
                                const std::string& to, message_joiner join) {
  return link::make(system, std::move(target), std::move(net), from, to, join, nullptr);
}

} // namespace troupe
