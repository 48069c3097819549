#pragma once

#include "model/base/time.hpp"
#include "runtime/time/ready_queue.hpp"
#include "runtime/time/virtual_clock.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Options of virtual time.
struct virtual_time_settings {
  std::uint64_t seed = 1;
  interleave order = interleave::seeded;
  /// The memory of an actor is prefetched this number of places before its turn to run or to
  /// receive a message; 0: not at all. Affects only the speed.
  std::uint32_t prefetch = 3;
};

/// Counters of a virtual coordinator since its start.
struct virtual_time_counters {
  /// Messages that actors have consumed. Messages that an actor skips do not count. Messages that
  /// CAF drops unseen (a response after its timeout, or the reverse) count once.
  std::uint64_t messages = 0;
  std::uint64_t events = 0;     ///< delivered by the clock
  std::size_t peak_ready = 0;   ///< greatest number of actors ready to run
  std::size_t peak_pending = 0; ///< greatest number of events waiting in the clock
};

/// A message that is about to be handled.
struct trace_entry {
  instant at{0};
  const char* name = ""; ///< of the handling actor
  caf::actor_id id = 0;  ///< of the handling actor
  std::string message;   ///< as text; empty when the actor starts
};

/// CAF's scheduler in virtual time: one thread, a queue of actors that are ready to run, and a
/// clock that stands still until none is. The owner of the actor system drives it: no actor runs by
/// itself, and only the driving thread may send.
///
/// When a system under this scheduler ends, it does not wait for its actors: they are killed, and
/// pending events of the clock are dropped. Detached and blocking actors do not work under it,
/// except for a `scoped_actor` that receives messages that have already come. Groups do not work
/// either: CAF waits for their end.
class virtual_coordinator final : public caf::scheduler::abstract_coordinator {
public:
  using trace_hook = std::function<void(const trace_entry&)>;
  using look_hook =
    std::function<void(const caf::monitorable_actor& actor, const caf::mailbox_element* message)>;

  /// Makes systems that are built from `cfg` run in virtual time.
  static void load(caf::actor_system_config& cfg, const virtual_time_settings& settings = {});

  /// Returns whether `system` runs in virtual time.
  static bool drives(caf::actor_system& system);

  /// Returns the coordinator of `system`. Throws `std::logic_error` if it has another scheduler.
  static virtual_coordinator& of(caf::actor_system& system);

  explicit virtual_coordinator(caf::actor_system& system);

  // -- driving ----------------------------------------------------------------

  /// Returns the simulated time since the start.
  instant now() const { return virtual_clock::to_instant(clock_.now()); }

  /// Runs actors at the present instant until none is ready.
  void settle();

  /// Runs the ready actors, moves to the next due instant, and runs the actors that become ready
  /// there. Returns false if nothing was due.
  bool step();

  /// Goes from one due instant to the next until nothing is pending or the next instant is past
  /// `horizon`. Afterwards `now()` is `horizon` if `reach_horizon`, else the last instant at which
  /// an event was due. Never goes back.
  void run_until(instant horizon, bool reach_horizon = true);

  /// Returns when the next event is due, or nothing if none is pending.
  std::optional<instant> next_due() { return clock_.next_due(); }

  /// Calls `hook` after every few hundred messages, also within an instant. Once it returns true,
  /// the functions above return at once and leave ready actors waiting, until `go_on`. An empty
  /// hook ends the checks.
  void stop_when(std::function<bool()> hook) { stop_hook_ = std::move(hook); }

  /// Returns whether the hook has returned true.
  bool stopped() const { return stopped_; }

  void go_on() { stopped_ = false; }

  /// Returns the simulated time and the actor whose message is being handled, as text for the user.
  /// For any thread, while the driving one is within `settle`, `step` or `run_until`. Takes a
  /// moment, to see whether messages are handled meanwhile.
  std::string whereabouts() const;

  /// Returns whether no actor is ready to run.
  bool settled() const { return ready_.empty(); }

  /// Returns whether no actor is ready and no event is pending.
  bool idle() const { return settled() && clock_.pending() == 0; }

  /// Freezes an actor: its messages and timers wait until it is thawed.
  void freeze(caf::actor_id actor) { frozen_.insert(actor); }

  /// Lets a frozen actor continue, with all messages that came meanwhile, in their order.
  void thaw(caf::actor_id actor);

  // -- watching ---------------------------------------------------------------

  virtual_time_counters counters() const;

  /// Calls `hook` before each message is handled. An empty hook ends that. Costs nothing when off.
  /// There is one such hook, or one of `look`.
  void trace(trace_hook hook);

  /// The same with the handling actor and the message itself, null when the actor starts. Messages
  /// that the actor skips are shown whenever it looks at them.
  void look(look_hook hook) { look_ = std::move(hook); }

  /// Calls `hook` after each message with the actor that has handled it, which may have ended
  /// meanwhile. An empty hook ends that.
  void watch(std::function<void(const caf::monitorable_actor&)> hook) { watch_ = std::move(hook); }

  // -- CAF --------------------------------------------------------------------

  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>);

  virtual_clock& clock() noexcept override { return clock_; }

  bool detaches_utility_actors() const override { return false; }

  void init(caf::actor_system_config& cfg) override;

  void start() override;

  void stop() override;

  void enqueue(caf::resumable* job) override { ready_.push(job); }

private:
  class worker final : public caf::execution_unit {
  public:
    explicit worker(virtual_coordinator& parent)
      : caf::execution_unit(&parent.system()), ready_(parent.ready_) {}

    void exec_later(caf::resumable* job) override { ready_.push(job); }

  private:
    ready_queue& ready_;
  };

  void fetch_ahead();
  void run(const ready_job& next);
  void count_message();
  void welcome(caf::monitorable_actor& actor, bool has_message);
  void drop(caf::resumable* job);
  bool kill_actors();
  void end_light_actors();

  ready_queue ready_;
  virtual_clock clock_{0, interleave::seeded};
  worker worker_{*this};
  std::size_t prefetch_ = 0;
  // The driving thread alone writes the atomic variables.
  std::atomic<std::uint64_t> messages_{0};
  std::atomic<const caf::monitorable_actor*> running_{nullptr};
  std::atomic<std::int64_t> reached_{0}; // the present instant, in ns
  bool stopped_ = false;
  std::function<bool()> stop_hook_;
  look_hook look_;
  std::function<void(const caf::monitorable_actor&)> watch_;
  std::set<caf::actor_id> frozen_;
  std::vector<std::pair<caf::actor_id, caf::resumable*>> held_; // jobs of frozen actors
  std::vector<caf::weak_actor_ptr> actors_; // all actors that have run and may be alive
};

} // namespace troupe
