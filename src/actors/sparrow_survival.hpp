#pragma once

#include "actors/sparrow_core.hpp"
#include "actors/survival_books.hpp"
#include "model/queue_protocol.hpp"
#include "model/reliable_channel.hpp"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

struct sparrow_survival_rules {
  incarnation life = 1;
  std::vector<std::uint32_t> stores{}; ///< that give it jobs
  std::uint32_t retries = 0;           ///< lost runs of a task until it is given up; 0: never
  duration heartbeat = std::chrono::milliseconds{500};
  duration timeout = std::chrono::milliseconds{1500}; ///< silent schedulers are replaced after it
  /// Silent machines are given up after this.
  duration machine_timeout = std::chrono::milliseconds{5000};
  duration lease = std::chrono::seconds{10}; ///< it may act so long without the master
  duration old_lease{0}; ///< an earlier life may act for so long; 0 for both: for ever
  /// So many machines are called to begin a session every heartbeat, so that their answers leave
  /// room for anything else; 0: all of them.
  std::uint32_t calls = 0;

  /// What has not been acknowledged for so long is overdue. Acknowledgements that need not be at
  /// once are sent with the next heartbeat.
  duration patience() const { return 2 * heartbeat; }
};

/// What a scheduler that probes machines knows and decides where failures are watched, without the
/// actor around it: the sessions with machines, what to tell them, when they are silent, and what
/// an earlier life has left.
///
/// It acts in its sessions as long as the master has answered within the lease. What may make a
/// task run anew elsewhere takes more: it gives machines up, and begins sessions, only while it
/// cannot have been replaced, that is, within the time-out of what the master has answered last. A
/// new life knows what runs once every machine has told it, or must have stopped it; until then it
/// leaves alone what the earlier life has left.
class sparrow_survival {
public:
  /// `machines` must outlive it; `now` is when it begins.
  sparrow_survival(const sparrow_survival_rules& rules, scheduler_id id, const catalog& machines,
                   const sparrow_limits& limits, random_stream random, std::uint32_t own_group,
                   instant now);

  /// Books what a machine tells. Returns false if that obeys a later life: this one is replaced.
  bool hear(const queue_beat& beat, instant now);

  /// Notes that machines are alive. Returns the answer, or nothing if this life does not give any.
  std::optional<queue_lease> hear(const queue_pulse& pulse, instant now);

  /// Notes that the master has answered what was sent then. Returns whether it may act again that
  /// could not be sure before that it has not been replaced.
  bool vouched(instant sent, instant now);

  /// Books a delivery of jobs.
  void deliver(const job_delivery& what, instant now);

  /// Notes what a job store has heard.
  void confirm(const store_seen& seen, instant now);

  /// Gives silent machines up and repeats what may be lost. To be called every heartbeat.
  void look_around(instant now);

  /// As in `sparrow_core`; decides nothing before it knows the machines.
  std::optional<duration> decide(instant now) { return decide(now, now); }
  std::optional<duration> decide(instant now, instant from);
  void place(instant now);

  /// Returns what is to be told to machines now.
  std::vector<queue_word> words(instant now);

  /// Returns what is to be told to job stores now.
  auto news(instant now) { return books_.news(now, rules_.heartbeat); }

  const sparrow_core& core() const { return core_; }
  bool taking_over() const { return books_.taking_over(); }

  /// Returns whether it is in session with this life of a machine.
  bool in_session(machine_id machine, incarnation life) const {
    const auto& with = links_.at(machine);
    return with.joined && with.life == life;
  }

  /// As in `sparrow_core`, with what each job store has delivered.
  task_places places() const;

  bool idle() const { return core_.idle() && !taking_over(); }
  std::vector<group_sample> take_samples(instant now) {
    return core_.take_samples(now, books_.left);
  }

private:
  /// What there is with a machine.
  struct link {
    incarnation life = 0; ///< of the machine, or the one it has to have at least
    bool joined = false;  ///< in session
    bool busy = false;    ///< it has something of this scheduler
    bool due = false;     ///< something is to be told
    bool leaves = false;  ///< it is to be emptied
    bool told = false;    ///< while taking over: it has told what it runs
    instant heard{0};
    instant busy_since{0};
    instant answers{0}; ///< when the latest sign of life was sent
    reliable_receiver<queue_event> events;
    reliable_sender<queue_order> orders;
    std::uint64_t ends_done = 0;
    std::uint64_t ends_told = 0; ///< of these, with the latest word

    bool owes() const { return events.owes() || ends_done > ends_told; }
    bool waits() const { return busy || !orders.empty(); }
  };

  /// What a machine had of an earlier life.
  struct claim {
    std::vector<task_id> running;
    std::vector<machine_event> ended;
  };

  /// The end of a task, safe once the job stores know of the news up to `news`.
  struct booked_end {
    std::uint64_t news = 0;
    machine_id machine = 0;
    incarnation life = 0;
    std::uint64_t number = 0;
  };

  bool may_act(instant now) const;
  bool cannot_be_replaced(instant now) const;
  bool knows_machines(instant now) const;
  void tell(machine_id machine);
  bool begin_session(const queue_beat& beat, instant now);
  void give_up(machine_id machine, instant now);
  void book(machine_id machine, const queue_event& event, instant now);
  void book_end(machine_id machine, const machine_event& ended);
  void settle_ends();
  bool ends_claim(machine_id machine, const machine_event& ended);
  void order(machine_id machine, queue_order what, instant now);
  void send(instant now);
  void take_over(instant now);
  void call_machines();

  sparrow_survival_rules rules_;
  scheduler_id id_;
  instant began_;
  sparrow_core core_;
  survival_books books_;
  sparrow_outbox out_;
  std::vector<link> links_;  ///< by machine
  machine_id next_call_ = 0; ///< the first one to be called next
  std::size_t joined_ = 0;
  std::size_t told_ = 0; ///< machines that have told what they run, while it takes over
  std::vector<machine_id> due_;
  std::optional<instant> vouched_;
  instant looked_{0};            ///< around
  instant stood_still_until_{0}; ///< this scheduler, the last time
  std::map<machine_id, claim> claims_;
  std::deque<booked_end> booked_;
};

} // namespace troupe
