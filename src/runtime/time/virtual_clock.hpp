#pragma once

#include "model/base/time.hpp"
#include "runtime/time/event_calendar.hpp"

#include <caf/actor_clock.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/group.hpp>
#include <caf/mailbox_element.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// The order of events that are due at one instant.
enum class interleave : std::uint8_t {
  seeded, ///< by a hash of seed, instant, receiver and sender: no actor wins every race
  fifo,   ///< by time of scheduling, for debugging
};

/// CAF's clock in simulated time. It stands still while actors run, and advances when its driver
/// calls it. Events of one sender for one receiver at one instant keep their order, with either
/// `interleave`. For one thread.
class virtual_clock final : public caf::actor_clock {
public:
  virtual_clock(std::uint64_t seed, interleave order) : seed_(seed), order_(order) {}

  /// Converts between CAF's points in time and the time since the start of the run.
  static constexpr instant to_instant(time_point t) { return t.time_since_epoch(); }
  static constexpr time_point to_time_point(instant t) { return time_point{t}; }

  // -- for the driver ---------------------------------------------------------

  /// Returns when the next event is due, or nothing if none is pending.
  std::optional<instant> next_due();

  /// Moves to the next due instant and delivers all events that are due there. Returns their
  /// number; 0 if none is pending. Events that are scheduled meanwhile for the same instant are
  /// delivered by the next call.
  std::size_t deliver_next(caf::execution_unit* unit);

  /// Moves on to `t` without delivering anything. Does nothing if `t` has passed or if an event is
  /// due earlier.
  void move_to(instant t);

  /// Drops all pending events and all that are scheduled from now on.
  void close();

  /// Returns the number of pending events.
  std::size_t pending() const { return live_; }

  /// Returns the number of events delivered so far.
  std::uint64_t delivered() const { return delivered_; }

  /// Returns the greatest number of pending events so far.
  std::size_t peak() const { return peak_; }

  /// Sets how many events ahead the memory of the receivers is prefetched; 0: not at all.
  void prefetch(std::size_t distance) { prefetch_ = distance; }

  // -- for senders ------------------------------------------------------------

  /// Delivers `content` to `receiver` at `t`, or at the present instant if `t` has passed. `pair`
  /// identifies the sender and the receiver where ties are broken: events with the same `pair` keep
  /// their order.
  event_place schedule(time_point t, std::uint64_t pair, caf::strong_actor_ptr receiver,
                       caf::mailbox_element_ptr content);

  /// Returns the message of an event that was scheduled for a later instant, or null if the clock
  /// was closed.
  caf::mailbox_element_ptr* pending(const event_place& of) {
    return closed_ ? nullptr : &events_.at(of).content;
  }

  time_point now() const noexcept override { return to_time_point(now_); }

  duration_type difference(caf::atom_value measurement, long units, time_point t0,
                           time_point t1) const noexcept override;

  void set_ordinary_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type,
                            std::uint64_t id) override;

  void set_multi_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type,
                         std::uint64_t id) override;

  /// Also cancelled by the response to the request, if that is delivered by this clock: CAF 0.17
  /// never cancels the timeout of a request that was answered.
  void set_request_timeout(time_point t, caf::abstract_actor* self, caf::message_id id) override;

  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;

  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;

  void cancel_timeouts(caf::abstract_actor* self) override;

  void schedule_message(time_point t, caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;

  void schedule_message(time_point t, caf::group target, caf::strong_actor_ptr sender,
                        caf::message content) override;

  void cancel_all() override;

private:
  enum class timeout_kind : std::uint8_t { none, ordinary, multi, request };

  // One without content is dead; one without receiver goes to a group.
  struct event {
    caf::strong_actor_ptr receiver;
    caf::mailbox_element_ptr content;
    timeout_kind kind = timeout_kind::none;

    explicit operator bool() const { return content != nullptr; }
  };

  struct timeout {
    std::uint64_t id = 0; // of the request, or the type of a receive timeout
    event_place at;
    timeout_kind kind = timeout_kind::none;
  };

  event_place add(time_point t, std::uint64_t pair, event&& what);
  void add_timeout(time_point t, caf::abstract_actor* self, timeout_kind kind, std::uint64_t id,
                   caf::mailbox_element_ptr content);
  void cancel(caf::actor_id self, timeout_kind kind, std::uint64_t id);
  void kill(const event_place& at);
  void forget_timeout(caf::actor_id self, const event_place& at);
  void deliver(event& what, const event_place& from, caf::execution_unit* unit);
  static void fetch(const event& what);

  std::uint64_t seed_;
  interleave order_;
  bool closed_ = false;
  instant now_{0};
  std::uint64_t delivered_ = 0;
  std::size_t live_ = 0; // number of events to deliver
  std::size_t peak_ = 0;
  std::size_t prefetch_ = 0;
  event_calendar<event> events_;
  std::unordered_map<const caf::mailbox_element*, caf::group> groups_; // that events go to
  std::unordered_map<caf::actor_id, std::vector<timeout>> timeouts_;
};

} // namespace troupe
