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
  drop_dead();
  if (heap_.empty())
    return std::nullopt;
  return instant{heap_.top().due};
}

std::size_t virtual_clock::deliver_next(caf::execution_unit* unit) {
  drop_dead();
  if (heap_.empty())
    return 0;
  now_ = instant{heap_.top().due};
  batch_.clear();
  do {
    batch_.push_back(heap_.top().slot);
    heap_.pop();
  } while (!heap_.empty() && heap_.top().due == now_.count());
  if (prefetch_ != 0 && !heap_.empty()) { // receivers of the next instants
    fetch(heap_.top().slot);
    prefetch_actor(slots_[heap_.top().slot].receiver.get());
  }
  const std::uint64_t before = delivered_;
  for (std::size_t i = 0; i < std::min(prefetch_, batch_.size()); ++i)
    fetch(batch_[i]);
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    if (prefetch_ != 0 && i + prefetch_ < batch_.size())
      fetch(batch_[i + prefetch_]);
    deliver(batch_[i], unit);
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

void virtual_clock::schedule(time_point t, std::uint64_t pair, caf::strong_actor_ptr receiver,
                             caf::mailbox_element_ptr content) {
  if (closed_ || !receiver)
    return;
  const auto slot = take_slot();
  slots_[slot].receiver = std::move(receiver);
  slots_[slot].content = std::move(content);
  add(t, pair, slot);
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
    kill(x.slot);
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
  const auto slot = take_slot();
  slots_[slot].target = std::move(target);
  slots_[slot].content =
    caf::make_mailbox_element(std::move(sender), caf::make_message_id(), {}, std::move(content));
  add(t, pair, slot);
}

void virtual_clock::cancel_all() {
  // Releasing a receiver may end it, and its end may call this function: keep all until the end.
  const auto slots = std::exchange(slots_, {});
  heap_.clear();
  free_.clear();
  batch_.clear();
  timeouts_.clear();
  live_ = 0;
  dead_ = 0;
}

// -- events -------------------------------------------------------------------------------------

std::uint32_t virtual_clock::take_slot() {
  if (free_.empty()) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const auto slot = free_.back();
  free_.pop_back();
  return slot;
}

void virtual_clock::add(time_point t, std::uint64_t pair, std::uint32_t slot) {
  const auto due = std::max(to_instant(t), now_).count();
  std::uint32_t tie = 0;
  if (order_ == interleave::seeded) {
    const auto h = random_stream::mix(seed_ ^ static_cast<std::uint64_t>(due));
    tie = static_cast<std::uint32_t>(random_stream::mix(h + pair) >> 32);
  }
  heap_.push({due, seq_++, tie, slot});
  peak_ = std::max(peak_, ++live_);
}

void virtual_clock::add_timeout(time_point t, caf::abstract_actor* self, timeout_kind kind,
                                std::uint64_t id, caf::mailbox_element_ptr content) {
  if (closed_)
    return;
  const auto slot = take_slot();
  slots_[slot] = {caf::actor_cast<caf::strong_actor_ptr>(self), std::move(content), {}, kind};
  timeouts_[self->id()].push_back({id, slot, kind});
  add(t, pair_of(slots_[slot].receiver, self->id()), slot);
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
  const auto slot = x->slot;
  *x = list.back();
  list.pop_back();
  kill(slot);
}

void virtual_clock::kill(std::uint32_t slot) {
  // Release the payload only after the state is consistent: it may hold the last handle to an
  // actor.
  const auto dead = std::exchange(slots_[slot], {});
  ++dead_;
  --live_;
  if (dead_ < 1024 || dead_ * 2 < heap_.size())
    return;
  heap_.remove_if([this](const event& e) {
    if (slots_[e.slot].content)
      return false;
    free_.push_back(e.slot);
    --dead_;
    return true;
  });
}

void virtual_clock::forget_timeout(caf::actor_id self, std::uint32_t slot) {
  auto& list = timeouts_[self];
  const auto x =
    std::find_if(list.begin(), list.end(), [&](const timeout& y) { return y.slot == slot; });
  *x = list.back();
  list.pop_back();
}

void virtual_clock::drop_dead() {
  while (!heap_.empty() && !slots_[heap_.top().slot].content) {
    free_.push_back(heap_.top().slot);
    heap_.pop();
    --dead_;
  }
}

void virtual_clock::deliver(std::uint32_t slot, caf::execution_unit* unit) {
  payload x = std::exchange(slots_[slot], {});
  free_.push_back(slot);
  if (!x.content) {
    --dead_;
    return;
  }
  ++delivered_;
  --live_;
  if (x.target) {
    x.target->eq_impl(caf::make_message_id(), std::move(x.content->sender), unit,
                      x.content->move_content_to_message());
    return;
  }
  if (x.kind != timeout_kind::none)
    forget_timeout(x.receiver->id(), slot);
  else if (x.content->mid.is_response())
    cancel(x.receiver->id(), timeout_kind::request, x.content->mid.integer_value());
  x.receiver->enqueue(std::move(x.content), unit);
}

void virtual_clock::fetch(std::uint32_t slot) const {
  const auto& x = slots_[slot];
  prefetch_mailbox(x.receiver.get());
  __builtin_prefetch(x.content.get(), 1);
}

} // namespace troupe
