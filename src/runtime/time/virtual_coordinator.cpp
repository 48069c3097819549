#include "runtime/time/virtual_coordinator.hpp"

#include "actors/common/light_actor.hpp"
#include "actors/common/prefetch.hpp"

#include <caf/actor_system.hpp>
#include <caf/behavior.hpp>
#include <caf/logger.hpp>
#include <caf/make_actor.hpp>
#include <caf/message_handler.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/send.hpp>
#include <caf/settings.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace troupe {

namespace {

constexpr char seed_key[] = "troupe.virtual-time.seed";
constexpr char fifo_key[] = "troupe.virtual-time.fifo";
/// The number of messages between two checks whether to stop: less than a millisecond's work.
constexpr std::uint64_t messages_between_looks = 256;

constexpr char prefetch_key[] = "troupe.virtual-time.prefetch";

/// Receives the text that actors write through `caf::aout`. CAF also reports messages and errors
/// there that no actor handles.
class stderr_printer final : public caf::monitorable_actor {
public:
  explicit stderr_printer(caf::actor_config& cfg) : caf::monitorable_actor(cfg) {}

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) override {
    print_(what->content());
  }

private:
  caf::message_handler print_{
    [](caf::add_atom, caf::actor_id, const std::string& text) { std::cerr << text; }};
};

/// An actor of one of the two kinds that are ready to run in virtual time.
class ready_actor {
public:
  explicit ready_actor(const ready_job& ready) {
    if (ready.is_scheduled)
      scheduled_ = static_cast<caf::scheduled_actor*>(ready.job);
    else
      light_ = static_cast<light_actor*>(ready.job);
  }

  caf::monitorable_actor& actor() const {
    if (light_ != nullptr)
      return *light_;
    return *scheduled_;
  }

  /// Returns its next message, or null.
  const caf::mailbox_element* next() const {
    return light_ != nullptr ? light_->next() : scheduled_->peek_at_next_mailbox_element();
  }

  bool has_message() const {
    return light_ != nullptr ? light_->next() != nullptr : !scheduled_->mailbox().empty();
  }

private:
  caf::scheduled_actor* scheduled_ = nullptr;
  light_actor* light_ = nullptr;
};

} // namespace

// -- CAF ----------------------------------------------------------------------------------------

void virtual_coordinator::load(caf::actor_system_config& cfg,
                               const virtual_time_settings& settings) {
  caf::put(cfg.content, seed_key, static_cast<std::int64_t>(settings.seed));
  caf::put(cfg.content, fifo_key, settings.order == interleave::fifo);
  caf::put(cfg.content, prefetch_key, static_cast<std::int64_t>(settings.prefetch));
  cfg.load<virtual_coordinator>();
}

bool virtual_coordinator::drives(caf::actor_system& system) {
  return dynamic_cast<virtual_coordinator*>(&system.scheduler()) != nullptr;
}

virtual_coordinator& virtual_coordinator::of(caf::actor_system& system) {
  if (auto* self = dynamic_cast<virtual_coordinator*>(&system.scheduler()))
    return *self;
  throw std::logic_error("this actor system does not run in virtual time");
}

virtual_coordinator::virtual_coordinator(caf::actor_system& system)
  : caf::scheduler::abstract_coordinator(system) {}

caf::actor_system::module* virtual_coordinator::make(caf::actor_system& system,
                                                     caf::detail::type_list<>) {
  return new virtual_coordinator(system);
}

void virtual_coordinator::init(caf::actor_system_config& cfg) {
  abstract_coordinator::init(cfg);
  const auto seed = caf::get_or(cfg.content, seed_key, std::int64_t{1});
  const auto fifo = caf::get_or(cfg.content, fifo_key, false);
  const auto ahead = caf::get_or(cfg.content, prefetch_key, std::int64_t{0});
  clock_ =
    virtual_clock{static_cast<std::uint64_t>(seed), fifo ? interleave::fifo : interleave::seeded};
  prefetch_ = static_cast<std::size_t>(ahead);
  clock_.prefetch(prefetch_);
}

void virtual_coordinator::start() {
  system().await_actors_before_shutdown(false);
  caf::actor_config cfg{&worker_};
  utility_actors_[printer_id] = caf::make_actor<stderr_printer, caf::actor>(
    system().next_actor_id(), system().node(), &system(), cfg);
}

void virtual_coordinator::stop() {
  look_ = nullptr;
  watch_ = nullptr;
  stop_hook_ = nullptr;
  stopped_ = false;
  clock_.close();
  for (const auto& held : std::exchange(held_, {}))
    drop(held.second);
  // An actor may start others when it ends, but rarely more than a few times in a row.
  for (int round = 0; round < 100 && kill_actors(); ++round)
    settle();
  end_light_actors();
  while (!ready_.empty())
    drop(ready_.pop().job);
  actors_.clear();
  utility_actors_[printer_id] = nullptr;
}

void virtual_coordinator::drop(caf::resumable* job) {
  if (job->subtype() == caf::resumable::scheduled_actor) {
    cleanup_and_release(job);
    return;
  }
  static_cast<light_actor*>(job)->abandon();
  caf::intrusive_ptr_release(job);
}

bool virtual_coordinator::kill_actors() {
  bool any = !ready_.empty();
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const auto actor = caf::actor_cast<caf::strong_actor_ptr>(actors_[i]);
    if (!actor || actor->get()->getf(caf::abstract_actor::is_cleaned_up_flag) ||
        dynamic_cast<light_actor*>(actor->get()) != nullptr)
      continue;
    caf::anon_send_exit(actor, caf::exit_reason::kill);
    any = true;
  }
  return any;
}

/// There may be a million of them: they end at once, after those that they would tell of it.
void virtual_coordinator::end_light_actors() {
  for (const auto& one : actors_)
    if (const auto actor = caf::actor_cast<caf::strong_actor_ptr>(one))
      if (auto* const light = dynamic_cast<light_actor*>(actor->get());
          light != nullptr && !light->getf(caf::abstract_actor::is_cleaned_up_flag))
        light->abandon();
}

// -- driving ------------------------------------------------------------------------------------

void virtual_coordinator::settle() {
  // While a thread has a logger, CAF records the running actor in a locked map, for each message.
  // Debian's CAF logs nothing.
  if (caf::logger::current_logger() != nullptr)
    caf::logger::set_current_actor_system(nullptr);
  if (prefetch_ == 0) {
    while (!ready_.empty() && !stopped_)
      run(ready_.pop());
    return;
  }
  while (!ready_.empty() && !stopped_) {
    fetch_ahead();
    run(ready_.pop());
  }
}

void virtual_coordinator::fetch_ahead() {
  const auto size = ready_.size();
  // A light actor is not of that class, but is found at about the same address.
  if (const auto far = 3 * prefetch_; far < size)
    prefetch_actor(
      caf::actor_control_block::from(static_cast<caf::scheduled_actor*>(ready_.at(far).job)));
  if (const auto near = 2 * prefetch_; near < size && ready_.at(near).is_scheduled)
    prefetch_stack(*static_cast<caf::scheduled_actor*>(ready_.at(near).job));
  if (prefetch_ < size && ready_.at(prefetch_).is_scheduled)
    prefetch_behavior(*static_cast<caf::scheduled_actor*>(ready_.at(prefetch_).job));
}

bool virtual_coordinator::step() {
  settle();
  if (stopped_ || clock_.deliver_next(&worker_) == 0)
    return false;
  reached_.store(now().count(), std::memory_order_relaxed);
  settle();
  return true;
}

void virtual_coordinator::run_until(instant horizon, bool reach_horizon) {
  settle();
  for (auto due = next_due(); !stopped_ && due && *due <= horizon; due = next_due()) {
    clock_.deliver_next(&worker_);
    reached_.store(now().count(), std::memory_order_relaxed);
    settle();
  }
  if (reach_horizon && !stopped_)
    clock_.move_to(horizon);
}

void virtual_coordinator::count_message() {
  const auto n = messages_.load(std::memory_order_relaxed) + 1;
  messages_.store(n, std::memory_order_relaxed);
  if (n % messages_between_looks == 0 && stop_hook_)
    stopped_ = stop_hook_();
}

std::string virtual_coordinator::whereabouts() const {
  const auto before = messages_.load(std::memory_order_relaxed);
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  const auto after = messages_.load(std::memory_order_relaxed);
  const auto* actor = running_.load(std::memory_order_relaxed);
  const auto at =
    "at " + to_string(instant{reached_.load(std::memory_order_relaxed)}) + " of simulated time";
  // If the count has not changed, the actor is still handling the message, so its name may be read.
  if (before == after && actor != nullptr)
    return at + ", while it handles a message to actor '" + actor->name() + "', number " +
           std::to_string(actor->id());
  return at + ", after " + std::to_string(after) + " messages";
}

void virtual_coordinator::run(const ready_job& next) {
  const ready_actor ready{next};
  auto* const job = next.job;
  auto& actor = ready.actor();
  if (!frozen_.empty() && frozen_.contains(actor.id())) {
    held_.emplace_back(actor.id(), job);
    return;
  }
  if (!actor.getf(caf::abstract_actor::is_initialized_flag))
    welcome(actor, ready.has_message());
  // One message per call, to count messages; the actor stays in the processor's cache.
  auto result = caf::resumable::resume_later;
  running_.store(&actor, std::memory_order_relaxed);
  while (result == caf::resumable::resume_later) {
    if (stopped_) {
      ready_.push(job);
      return;
    }
    if (look_)
      look_(actor, ready.next());
    count_message();
    result = job->resume(&worker_, 1);
    if (watch_)
      watch_(actor);
  }
  running_.store(nullptr, std::memory_order_relaxed);
  caf::intrusive_ptr_release(job);
}

void virtual_coordinator::thaw(caf::actor_id actor) {
  frozen_.erase(actor);
  std::erase_if(held_, [&](const auto& held) {
    if (held.first == actor)
      ready_.push(held.second);
    return held.first == actor;
  });
}

void virtual_coordinator::welcome(caf::monitorable_actor& actor, bool has_message) {
  // An actor runs once when it starts, with or without a message.
  if (!has_message)
    messages_.store(messages_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  if (actors_.size() == actors_.capacity()) {
    std::erase_if(actors_, [](const caf::weak_actor_ptr& x) {
      return x->strong_refs == 0 || x->get()->getf(caf::abstract_actor::is_cleaned_up_flag);
    });
    actors_.reserve(std::max<std::size_t>(1024, actors_.size() * 2));
  }
  actors_.push_back(caf::actor_cast<caf::weak_actor_ptr>(actor.ctrl()));
}

void virtual_coordinator::trace(trace_hook hook) {
  look_ = nullptr;
  if (hook)
    look_ = [this, hook = std::move(hook)](const caf::monitorable_actor& actor,
                                           const caf::mailbox_element* next) {
      hook({now(), actor.name(), actor.id(),
            next == nullptr ? std::string{} : caf::to_string(next->content())});
    };
}

virtual_time_counters virtual_coordinator::counters() const {
  return {messages_.load(std::memory_order_relaxed), clock_.delivered(), ready_.peak(),
          clock_.peak()};
}

} // namespace troupe
