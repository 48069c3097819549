#pragma once

#include <caf/actor_clock.hpp>
#include <caf/execution_unit.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace troupe {

/// When a light actor handles a message.
enum class handling : std::uint8_t {
  queued,  ///< when CAF's scheduler lets it run, as any other actor; always so in virtual time
  at_once, ///< when it is sent, by the thread of the sender if that thread is one of CAF's
};

/// An actor for members of which a cluster has very many. It takes messages and has typed handles
/// as any other actor, and handles one message at a time, in order, urgent ones first. It lacks
/// most parts of CAF's own actors: it cannot send requests, answer them, monitor others or change
/// its behavior. A request fails with `unexpected_message`.
///
/// It ends when it receives an exit message with a reason, or when a reaction throws, which goes to
/// the log.
class light_actor : public caf::monitorable_actor, public caf::resumable {
public:
  /// Starts to handle messages. To be called once, after the constructor.
  void launch();

  /// Ends without handling any more messages. Only where no other thread uses the actor.
  void abandon();

  /// The next message to handle, or null. Only for the thread on which the actor runs.
  const caf::mailbox_element* next();

  caf::actor_clock& clock() const;

  /// Sends itself a message.
  template <class... Message>
  void send_to_self(Message&&... message) {
    enqueue(to_self(std::forward<Message>(message)...), nullptr);
  }

  /// Sends itself a message at that time.
  template <class... Message>
  void send_to_self_at(caf::actor_clock::time_point at, Message&&... message) {
    clock().schedule_message(at, ctrl(), to_self(std::forward<Message>(message)...));
  }

  // -- CAF ----------------------------------------------------------------------------------------

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit* host) final;
  bool cleanup(caf::error&& reason, caf::execution_unit* host) final;
  subtype_t subtype() const final { return unspecified; }
  resume_result resume(caf::execution_unit* host, std::size_t max_throughput) final;
  void intrusive_ptr_add_ref_impl() final;
  void intrusive_ptr_release_impl() final;
  ~light_actor() override;

protected:
  light_actor(caf::actor_config& cfg, handling how);

  /// Handles a message. Returns false if it is none of the actor's interface.
  virtual bool react(const caf::type_erased_tuple& message) = 0;

  /// Releases what the actor holds; it has ended.
  virtual void release() = 0;

private:
  using node = caf::intrusive::singly_linked<caf::mailbox_element>;

  template <class... Message>
  caf::mailbox_element_ptr to_self(Message&&... message) {
    return caf::make_mailbox_element(ctrl(), caf::make_message_id(), {},
                                     std::forward<Message>(message)...);
  }

  bool has_ended() const { return getf(is_cleaned_up_flag); }
  void begin(caf::execution_unit* host);
  void collect();
  bool rest();
  void handle(caf::mailbox_element_ptr what, caf::execution_unit* host);
  void refuse(const caf::mailbox_element& what) const;
  void fail(const std::string& what, caf::execution_unit* host);
  void close();

  /// The messages that nobody has collected yet, the latest first, or one of two marks: the actor
  /// rests, or has ended. While it does not rest, one thread handles its messages.
  std::atomic<node*> fresh_{nullptr};
  node* waiting_ = nullptr; ///< the next messages to handle, in order
  handling how_;
};

/// A light actor with a state, which is reset when the actor ends.
template <class State>
class light_actor_of : public light_actor {
public:
  State state;

protected:
  using light_actor::light_actor;

  void release() final { state = State{}; }
};

/// Sends a message without a sender on the thread of `self`, which a light actor uses to handle it.
template <class Self, class Handle, class... Message>
void lend_thread(Self* self, const Handle& to, Message&&... message) {
  to->eq_impl(caf::make_message_id(), nullptr, self->context(), std::forward<Message>(message)...);
}

} // namespace troupe
