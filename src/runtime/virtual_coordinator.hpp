#pragma once

#include "model/time.hpp"
#include "runtime/ready_queue.hpp"
#include "runtime/virtual_clock.hpp"

#include <caf/actor_system_config.hpp>
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

/// How virtual time goes.
struct virtual_time_settings {
  std::uint64_t seed = 1;
  interleave order = interleave::seeded;
  /// How early the memory of actors that are about to run, or to get a message, is fetched, in
  /// places before their turn; 0: not at all. Changes the speed and nothing else.
  std::uint32_t prefetch = 3;
};

/// What a virtual coordinator has done so far.
struct virtual_time_counters {
  /// Messages that actors have consumed: what an actor skips is not counted, and what CAF drops
  /// unseen (a response that comes after its timeout, or the other way round) counts once.
  std::uint64_t messages = 0;
  std::uint64_t events = 0;     ///< delivered by the clock
  std::size_t peak_ready = 0;   ///< greatest number of actors ready to run
  std::size_t peak_pending = 0; ///< greatest number of events waiting in the clock
};

/// A message that is about to be handled.
struct trace_entry {
  instant at{0};
  const char* name = ""; ///< of the actor that handles it
  caf::actor_id id = 0;  ///< of the actor that handles it
  std::string message;   ///< as text; empty when the actor starts
};

/// CAF's scheduler in virtual time: one thread, a queue of actors that can run, and a clock that
/// stands still until none can. Whoever owns the actor system drives it; no actor runs by itself,
/// and only the driving thread may send.
///
/// A system under this scheduler does not wait for its actors when it ends: they are killed and
/// what the clock holds is dropped. Detached and blocking actors do not work under it, except for
/// a `scoped_actor` that receives what has already come; nor do groups, whose end CAF waits for.
class virtual_coordinator final : public caf::scheduler::abstract_coordinator {
public:
  using trace_hook = std::function<void(const trace_entry&)>;

  /// Makes a system that is built from `cfg` run in virtual time.
  static void load(caf::actor_system_config& cfg, const virtual_time_settings& settings = {});

  /// Returns the coordinator of `system`. Throws `std::logic_error` if it has another scheduler.
  static virtual_coordinator& of(caf::actor_system& system);

  explicit virtual_coordinator(caf::actor_system& system);

  // -- driving ----------------------------------------------------------------

  /// Returns the simulated time since the start.
  instant now() const { return virtual_clock::to_instant(clock_.now()); }

  /// Runs actors at the present instant until none is ready.
  void settle();

  /// Runs what is ready, moves to the next due instant and runs what becomes ready there. Returns
  /// false if nothing was due.
  bool step();

  /// Goes from one due instant to the next until nothing is pending or the next instant is past
  /// `horizon`. Then `now()` is `horizon` if `reach_horizon`, else the last instant at which
  /// something was due. Never goes back.
  void run_until(instant horizon, bool reach_horizon = true);

  /// Returns when the clock has something next, or nothing if it is empty.
  std::optional<instant> next_due() { return clock_.next_due(); }

  /// Has `hook` asked after every few hundred messages, within an instant, too. Once it says true,
  /// everything above returns at once, with what is ready still waiting, until `go_on`. An empty
  /// hook ends that.
  void stop_when(std::function<bool()> hook) { stop_hook_ = std::move(hook); }

  /// Returns whether the hook has said so.
  bool stopped() const { return stopped_; }

  void go_on() { stopped_ = false; }

  /// Returns where the run is, for people: the simulated time, and the actor whose message is being
  /// handled. For any thread, while the driving one is within `settle`, `step` or `run_until`.
  /// Takes a moment, to see whether messages are handled meanwhile.
  std::string whereabouts() const;

  /// Returns whether no actor is ready to run.
  bool settled() const { return ready_.empty(); }

  /// Returns whether no actor is ready and nothing waits in the clock.
  bool idle() const { return settled() && clock_.pending() == 0; }

  /// Has an actor stand still: what it is sent waits, its timers too, until it is thawed.
  void freeze(caf::actor_id actor) { frozen_.insert(actor); }

  /// Has it go on, with everything that came meanwhile, in its order.
  void thaw(caf::actor_id actor);

  // -- watching ---------------------------------------------------------------

  virtual_time_counters counters() const;

  /// Calls `hook` before each message is handled; an empty one ends that. Costs nothing when off.
  void trace(trace_hook hook) { trace_ = std::move(hook); }

  /// Calls `hook` after each message with the actor that has handled it, which may have ended by
  /// that; an empty one ends that.
  void watch(std::function<void(const caf::scheduled_actor&)> hook) { watch_ = std::move(hook); }

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
  void run(caf::resumable* job);
  void count_message();
  void welcome(caf::scheduled_actor& actor);
  void report(caf::scheduled_actor& actor);
  bool kill_actors();

  ready_queue ready_;
  virtual_clock clock_{0, interleave::seeded};
  worker worker_{*this};
  std::size_t prefetch_ = 0;
  // The atomic ones are written by the driving thread alone.
  std::atomic<std::uint64_t> messages_{0};
  std::atomic<const caf::scheduled_actor*> running_{nullptr};
  std::atomic<std::int64_t> reached_{0}; // the present instant, in ns
  bool stopped_ = false;
  std::function<bool()> stop_hook_;
  trace_hook trace_;
  std::function<void(const caf::scheduled_actor&)> watch_;
  std::set<caf::actor_id> frozen_;
  std::vector<std::pair<caf::actor_id, caf::resumable*>> held_; // jobs of these
  std::vector<caf::weak_actor_ptr> actors_; // all that ever ran and may be alive
};

} // namespace troupe
