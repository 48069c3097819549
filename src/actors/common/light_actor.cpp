#include "actors/common/light_actor.hpp"

#include "model/base/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/make_message.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>
#include <caf/sec.hpp>

#include <exception>

namespace troupe {

namespace {

using node = caf::intrusive::singly_linked<caf::mailbox_element>;

// Marks in the place of a message.
node resting_mark;
node ended_mark;

caf::mailbox_element& element(node& n) {
  return static_cast<caf::mailbox_element&>(n);
}

std::string describe(const light_actor& self) {
  return std::string{self.name()} + "#" + std::to_string(self.id());
}

/// Returns the last of the urgent messages at the head of a list, or null if there is none.
node* last_urgent(node* list) {
  node* last = nullptr;
  for (; list != nullptr && element(*list).is_high_priority(); list = list->next)
    last = list;
  return last;
}

} // namespace

light_actor::light_actor(caf::actor_config& cfg, handling how)
  : caf::monitorable_actor(cfg), how_(how) {}

light_actor::~light_actor() {
  close();
}

caf::actor_clock& light_actor::clock() const {
  return home_system().clock();
}

void light_actor::launch() {
  register_at_system();
  if (how_ == handling::at_once) {
    setf(is_initialized_flag);
    collect();
    if (waiting_ == nullptr && rest())
      return;
  }
  intrusive_ptr_add_ref_impl();
  home_system().scheduler().enqueue(this);
}

// -- messages -----------------------------------------------------------------------------------

void light_actor::enqueue(caf::mailbox_element_ptr what, caf::execution_unit* host) {
  node* const mine = what.get();
  auto* before = fresh_.load(std::memory_order_acquire);
  do {
    if (before == &ended_mark) {
      bounce(what, fail_state());
      return;
    }
    mine->next = before == &resting_mark ? nullptr : before;
  } while (!fresh_.compare_exchange_weak(before, mine, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
  what.release();
  if (before == &resting_mark)
    begin(host);
}

/// Handles the messages now, or has CAF's scheduler do so.
void light_actor::begin(caf::execution_unit* host) {
  intrusive_ptr_add_ref_impl();
  constexpr std::size_t at_a_time = 100;
  if (how_ == handling::at_once && host != nullptr && resume(host, at_a_time) != resume_later) {
    intrusive_ptr_release_impl();
    return;
  }
  if (host != nullptr)
    host->exec_later(this);
  else
    home_system().scheduler().enqueue(this);
}

/// Puts fresh messages behind the waiting ones, urgent ones behind the urgent ones.
void light_actor::collect() {
  const auto* const any = fresh_.load(std::memory_order_acquire);
  if (any == nullptr || any == &ended_mark)
    return;
  auto* latest = fresh_.exchange(nullptr, std::memory_order_acq_rel);
  node* in_order = nullptr;
  while (latest != nullptr) {
    auto* const before = latest->next;
    latest->next = in_order;
    in_order = latest;
    latest = before;
  }
  auto** end = &waiting_;
  while (*end != nullptr)
    end = &(*end)->next;
  while (in_order != nullptr) {
    auto* const after = in_order->next;
    in_order->next = nullptr;
    if (element(*in_order).is_high_priority()) {
      auto* const last = last_urgent(waiting_);
      auto** const place = last == nullptr ? &waiting_ : &last->next;
      in_order->next = *place;
      *place = in_order;
      if (end == place)
        end = &in_order->next;
    } else {
      *end = in_order;
      end = &in_order->next;
    }
    in_order = after;
  }
}

/// Lets the next sender begin again. Returns false if a message has come meanwhile.
bool light_actor::rest() {
  node* none = nullptr;
  return fresh_.compare_exchange_strong(none, &resting_mark, std::memory_order_acq_rel,
                                        std::memory_order_acquire);
}

const caf::mailbox_element* light_actor::next() {
  collect();
  return waiting_ == nullptr ? nullptr : &element(*waiting_);
}

caf::resumable::resume_result light_actor::resume(caf::execution_unit* host,
                                                  std::size_t max_throughput) {
  if (!getf(is_initialized_flag))
    setf(is_initialized_flag);
  for (std::size_t handled = 0;;) {
    collect();
    if (has_ended()) {
      close();
      release();
      return done;
    }
    if (waiting_ == nullptr) {
      if (rest())
        return awaiting_message;
      continue;
    }
    if (handled++ == max_throughput)
      return resume_later;
    handle(caf::mailbox_element_ptr{&element(*std::exchange(waiting_, waiting_->next))}, host);
  }
}

void light_actor::handle(caf::mailbox_element_ptr what, caf::execution_unit* host) {
  try {
    if (!react(what->content()) && !handle_system_message(*what, host, false))
      refuse(*what);
  } catch (const std::exception& e) {
    fail(e.what(), host);
  } catch (...) {
    fail("an exception of unknown type", host);
  }
}

void light_actor::refuse(const caf::mailbox_element& what) const {
  log::warn("{}: unexpected message {}", describe(*this), caf::to_string(what.content()));
  if (what.mid.is_request() && what.sender)
    what.sender->enqueue(nullptr, what.mid.response_id(),
                         caf::make_message(caf::make_error(caf::sec::unexpected_message)), nullptr);
}

void light_actor::fail(const std::string& what, caf::execution_unit* host) {
  log::error("{} ends: {}", describe(*this), what);
  cleanup(caf::make_error(caf::sec::runtime_error, what), host);
}

// -- the end ------------------------------------------------------------------------------------

bool light_actor::cleanup(caf::error&& reason, caf::execution_unit* host) {
  if (!caf::monitorable_actor::cleanup(std::move(reason), host))
    return false;
  unregister_from_system();
  return true;
}

void light_actor::abandon() {
  cleanup(caf::exit_reason::kill, nullptr);
  close();
  release();
}

/// Drops all messages, also those that come from now on; requests fail.
void light_actor::close() {
  auto* latest = fresh_.exchange(&ended_mark, std::memory_order_acq_rel);
  if (latest == &resting_mark || latest == &ended_mark)
    latest = nullptr;
  for (auto* list : {std::exchange(waiting_, nullptr), latest})
    while (list != nullptr) {
      caf::mailbox_element_ptr what{&element(*std::exchange(list, list->next))};
      if (has_ended())
        bounce(what, fail_state());
    }
}

void light_actor::intrusive_ptr_add_ref_impl() {
  intrusive_ptr_add_ref(ctrl());
}

void light_actor::intrusive_ptr_release_impl() {
  intrusive_ptr_release(ctrl());
}

} // namespace troupe
