#include "runtime/time/virtual_clock.hpp"

#include "actors/common/prefetch.hpp"
#include "model/base/random.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/abstract_group.hpp>
#include <caf/actor_cast.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp>
#include <caf/sec.hpp>
#include <caf/system_messages.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

std::uint64_t pair_of(const caf::strong_actor_ptr& sender, caf::actor_id receiver) {
  const auto id = sender ? sender->id() : caf::invalid_actor_id;
  return random_stream::mix(random_stream::mix(id) + receiver);
}

} // namespace

// -- for the driver -----------------------------------------------------------------------------

std::optional<instant> virtual_clock::next_due() {
  if (!events_.any())
    return std::nullopt;
  return instant{events_.next()};
}

std::size_t virtual_clock::deliver_next(caf::execution_unit* unit) {
  if (!events_.any())
    return 0;
  now_ = instant{events_.next()};
  const auto size = events_.take_next();
  if (prefetch_ != 0 && events_.any()) { // a receiver of the next instant
    fetch(events_.example());
    prefetch_actor(events_.example().receiver.get());
  }
  const std::uint64_t before = delivered_;
  for (std::size_t i = 0; i < std::min(prefetch_, size); ++i)
    fetch(events_.taken(i));
  for (std::size_t i = 0; i < events_.taken(); ++i) { // none are left once the clock is closed
    if (prefetch_ != 0 && i + prefetch_ < events_.taken())
      fetch(events_.taken(i + prefetch_));
    deliver(events_.taken(i), events_.place_of(i), unit);
  }
  return static_cast<std::size_t>(delivered_ - before);
}

void virtual_clock::move_to(instant t) {
  const auto next = next_due();
  if (t > now_ && (!next || *next >= t))
    now_ = t;
}

void virtual_clock::close() {
  closed_ = true;
  cancel_all();
}

// -- for senders --------------------------------------------------------------------------------

event_place virtual_clock::schedule(time_point t, std::uint64_t pair,
                                    caf::strong_actor_ptr receiver,
                                    caf::mailbox_element_ptr content) {
  if (closed_ || !receiver)
    return {};
  return add(t, pair, {std::move(receiver), std::move(content)});
}

virtual_clock::duration_type virtual_clock::difference(caf::atom_value, long, time_point t0,
                                                       time_point t1) const noexcept {
  return t1 - t0;
}

void virtual_clock::set_ordinary_timeout(time_point t, caf::abstract_actor* self,
                                         caf::atom_value type, std::uint64_t id) {
  cancel_ordinary_timeout(self, type);
  add_timeout(t, self, timeout_kind::ordinary, static_cast<std::uint64_t>(type),
              caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(self),
                                        caf::make_message_id(), {}, caf::timeout_msg{type, id}));
}

void virtual_clock::set_multi_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type,
                                      std::uint64_t id) {
  add_timeout(t, self, timeout_kind::multi, id,
              caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(self),
                                        caf::make_message_id(), {}, caf::timeout_msg{type, id}));
}

void virtual_clock::set_request_timeout(time_point t, caf::abstract_actor* self,
                                        caf::message_id id) {
  add_timeout(t, self, timeout_kind::request, id.integer_value(),
              caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(self), id, {},
                                        caf::make_error(caf::sec::request_timeout)));
}

void virtual_clock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  cancel(self->id(), timeout_kind::ordinary, static_cast<std::uint64_t>(type));
}

void virtual_clock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) {
  cancel(self->id(), timeout_kind::request, id.integer_value());
}

void virtual_clock::cancel_timeouts(caf::abstract_actor* self) {
  const auto i = timeouts_.find(self->id());
  if (i == timeouts_.end())
    return;
  const auto list = std::move(i->second);
  timeouts_.erase(i);
  for (const auto& x : list)
    kill(x.at);
}

void virtual_clock::schedule_message(time_point t, caf::strong_actor_ptr receiver,
                                     caf::mailbox_element_ptr content) {
  const auto pair = receiver ? pair_of(content->sender, receiver->id()) : 0;
  schedule(t, pair, std::move(receiver), std::move(content));
}

void virtual_clock::schedule_message(time_point t, caf::group target, caf::strong_actor_ptr sender,
                                     caf::message content) {
  if (closed_)
    return;
  const auto pair = pair_of(sender, caf::invalid_actor_id);
  auto element =
    caf::make_mailbox_element(std::move(sender), caf::make_message_id(), {}, std::move(content));
  groups_.emplace(element.get(), std::move(target));
  add(t, pair, {nullptr, std::move(element)});
}

void virtual_clock::cancel_all() {
  // Releasing a receiver may end it, and its end may call this function: keep all until the end.
  const auto all = events_.drop_all();
  groups_.clear();
  timeouts_.clear();
  live_ = 0;
}

// -- events -------------------------------------------------------------------------------------

event_place virtual_clock::add(time_point t, std::uint64_t pair, event&& what) {
  const auto due = std::max(to_instant(t), now_).count();
  peak_ = std::max(peak_, ++live_);
  return events_.add(due, std::move(what), [&]() -> std::uint32_t {
    if (order_ == interleave::fifo)
      return 0;
    const auto h = random_stream::mix(seed_ ^ static_cast<std::uint64_t>(due));
    return static_cast<std::uint32_t>(random_stream::mix(h + pair) >> 32);
  });
}

void virtual_clock::add_timeout(time_point t, caf::abstract_actor* self, timeout_kind kind,
                                std::uint64_t id, caf::mailbox_element_ptr content) {
  if (closed_)
    return;
  auto receiver = caf::actor_cast<caf::strong_actor_ptr>(self);
  const auto pair = pair_of(receiver, self->id());
  const auto at = add(t, pair, {std::move(receiver), std::move(content), kind});
  timeouts_[self->id()].push_back({id, at, kind});
}

void virtual_clock::cancel(caf::actor_id self, timeout_kind kind, std::uint64_t id) {
  const auto i = timeouts_.find(self);
  if (i == timeouts_.end())
    return;
  auto& list = i->second;
  const auto x = std::find_if(list.begin(), list.end(),
                              [&](const timeout& y) { return y.kind == kind && y.id == id; });
  if (x == list.end())
    return;
  const auto at = x->at;
  *x = list.back();
  list.pop_back();
  kill(at);
}

void virtual_clock::kill(const event_place& at) {
  // Release the event only after the state is consistent: it may hold the last handle to an actor.
  --live_;
  const auto dead = events_.cancel(at);
}

void virtual_clock::forget_timeout(caf::actor_id self, const event_place& at) {
  auto& list = timeouts_[self];
  const auto x =
    std::find_if(list.begin(), list.end(), [&](const timeout& y) { return y.at == at; });
  *x = list.back();
  list.pop_back();
}

void virtual_clock::deliver(event& what, const event_place& from, caf::execution_unit* unit) {
  auto content = std::move(what.content);
  if (!content)
    return;
  const auto receiver = std::move(what.receiver);
  ++delivered_;
  --live_;
  if (!receiver) {
    const auto target = groups_.extract(content.get()).mapped();
    target->eq_impl(caf::make_message_id(), std::move(content->sender), unit,
                    content->move_content_to_message());
    return;
  }
  if (what.kind != timeout_kind::none)
    forget_timeout(receiver->id(), from);
  else if (content->mid.is_response())
    cancel(receiver->id(), timeout_kind::request, content->mid.integer_value());
  receiver->enqueue(std::move(content), unit);
}

void virtual_clock::fetch(const event& what) {
  prefetch_mailbox(what.receiver.get());
  __builtin_prefetch(what.content.get(), 1);
}

} // namespace troupe
