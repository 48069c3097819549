#include "runtime/faults/chaos.hpp"

#include "actors/plugin/scheduler_plugin.hpp"
#include "actors/protocol/register_messages.hpp"
#include "model/base/clock_text.hpp"
#include "runtime/cluster/simulated_cluster.hpp"
#include "runtime/faults/audit.hpp"
#include "runtime/faults/draw_growth.hpp"
#include "runtime/faults/fault_plan.hpp"
#include "runtime/faults/fault_schedule.hpp"
#include "runtime/time/endless.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

instant end_of(const std::vector<fault>& plan) {
  instant end{0};
  for (const auto& f : plan)
    end = std::max(end, f.to == instant::max() ? f.from : f.to);
  return end;
}

instant first_of(const std::vector<fault>& plan) {
  instant first = instant::max();
  for (const auto& f : plan)
    first = std::min(first, f.from);
  return first;
}

/// Keeps the last events.
class event_log {
public:
  explicit event_log(std::size_t keep) : keep_(keep) {}

  /// Adds a message that is about to be handled; null: its actor starts.
  void add(instant at, const caf::monitorable_actor& actor, const caf::mailbox_element* message) {
    if (keep_ > 0 && !closed_)
      add(clock_text(at) + "  " + actor.name() + " #" + std::to_string(actor.id()) + "  " +
          (message == nullptr ? std::string{} : caf::to_string(message->content())));
  }

  void add(std::string line) {
    if (keep_ == 0 || closed_)
      return;
    if (lines_.size() == keep_)
      lines_.pop_front();
    lines_.push_back(std::move(line));
  }

  void close() { closed_ = true; }

  std::vector<std::string> lines() const { return {lines_.begin(), lines_.end()}; }

private:
  std::size_t keep_;
  bool closed_ = false;
  std::deque<std::string> lines_;
};

/// Records, and their comparison with the truth, take up to a fifth of the time of a run: one seed
/// of so many has them.
constexpr std::uint64_t seeds_for_records = 4;

/// Has schedulers keep records for the audit.
run_settings with_records(run_settings settings) {
  settings.records = record_level::none;
  if (settings.seed % seeds_for_records != 0)
    return settings;
  settings.records = record_level::tasks;
  return settings;
}

/// Adds the joins and leaves of machines to the failures of a run.
std::vector<fault> with_growth(std::vector<fault> plan, const growth_plan* growth) {
  if (growth != nullptr)
    std::ranges::move(growth->joins_and_leaves(), std::back_inserter(plan));
  std::ranges::stable_sort(plan, {}, &fault::from);
  return plan;
}

/// The joins and leaves of a run whose settings ask for them.
std::shared_ptr<const growth_plan> growth_of(const run_settings& settings) {
  return settings.chaos.growth ? std::make_shared<const growth_plan>(draw_growth(settings))
                               : nullptr;
}

/// An upper limit of the messages per second of a cluster in which nothing happens but rounds of
/// sync: a round of each scheduler and owner takes less than four.
double idle_messages(const run_settings& settings) {
  const auto gap = to_seconds(settings.sync.gap);
  return gap > 0 ? 4.0 * settings.schedulers * settings.cluster.owners / gap : 0;
}

class chaos_run {
public:
  chaos_run(const run_settings& settings, std::size_t keep, std::uint64_t most_messages,
            std::shared_ptr<const growth_plan> growth = {})
    : settings_(with_records(settings)),
      most_messages_(most_messages),
      idle_messages_(idle_messages(settings)),
      faults_(chaos_faults(settings)),
      plan_(with_growth(faults_, growth.get())),
      schedule_(plan_),
      system_(configure()),
      time_(virtual_coordinator::of(system_)),
      log_(keep),
      audit_(system_, settings_),
      cluster_(system_, settings_,
               {{system_.clock().now()},
                record_,
                true,
                nullptr,
                std::move(growth),
                settings_.chaos.withdrawals},
               plan_, [this](auto inner) { return audit_.watched(std::move(inner)); }) {
    audit_.begin(cluster_, first_of(plan_));
    if (keep > 0 || settings_.records != record_level::none)
      time_.look([this](const auto& actor, const auto* message) {
        log_.add(time_.now(), actor, message);
        audit_.hear(actor, message);
      });
  }

  chaos_outcome run() {
    cluster_.start(false);
    const auto last_due = std::max(end_of(plan_), settings_.length);
    auto deadline = last_due + settings_.chaos.patience;
    std::uint64_t over = 0;
    while (!wrong() && time_.now() < deadline) {
      go_to(time_.now() + std::chrono::milliseconds{250});
      audit_.compare_books();
      if (schedule_.over() && audit_.complete())
        break;
      // The deadline moves as long as tasks end: a large workload may take any time.
      if (const auto now_over = audit_.tasks_over(); std::exchange(over, now_over) != now_over) {
        deadline = std::max<instant>(deadline, time_.now() + settings_.chaos.patience);
        messages_then_ = time_.counters().messages;
        then_ = time_.now();
      }
    }
    // Messages that are still in transit must do no harm.
    if (!wrong())
      go_to(time_.now() + 4 * settings_.failures.timeout);
    // Slow or lost messages may cause a replacement of a member, or a late report of an end, at any
    // time.
    const auto last = time_.now() + settings_.chaos.patience;
    while (!wrong() && !audit_.at_rest() && time_.now() < last)
      go_to(time_.now() + std::chrono::milliseconds{250});
    if (!wrong())
      audit_.check_end();
    return {settings_.seed, faults_,     audit_.tasks(), audit_.starts(), time_.counters().messages,
            time_.now(),    violation(), log_.lines()};
  }

private:
  bool wrong() const { return violation().has_value(); }

  /// A plugin's fault is told before the harm that comes of it.
  std::optional<std::string> violation() const {
    if (!record_->error.empty())
      return record_->error;
    return audit_.violation() ? audit_.violation() : endless_;
  }

  caf::actor_system_config& configure() {
    register_messages(config_);
    register_plugin_types(config_);
    virtual_time_settings with;
    with.seed = settings_.seed;
    virtual_coordinator::load(config_, with);
    return config_;
  }

  void go_to(instant until) {
    while (!wrong() && schedule_.next() <= until) {
      const auto edge = schedule_.take();
      step_to(edge.at);
      apply(*edge.what, edge.begins);
    }
    step_to(until);
  }

  void step_to(instant until) {
    for (auto due = time_.next_due(); !wrong() && due && *due <= until; due = time_.next_due()) {
      time_.step();
      if (most_messages_ > 0 && time_.counters().messages - messages_then_ > allowed())
        endless_ = "more than " + std::to_string(allowed()) + " messages are handled in " +
                   to_string(time_.now() - then_) + ", and no task ends";
    }
    if (wrong())
      log_.close();
    else
      time_.run_until(until);
  }

  /// Of messages, since a task has ended.
  std::uint64_t allowed() const {
    const auto idle = idle_messages_ * to_seconds(time_.now() - then_);
    return most_messages_ + static_cast<std::uint64_t>(idle);
  }

  void apply(const fault& f, bool begins) {
    log_.add(clock_text(time_.now()) + "  " + (begins ? "BEGINS: " : "ENDS: ") + to_string(f));
    if (begins ? cluster_.begin(f) : cluster_.end(f))
      audit_.apply(f, begins);
    time_.settle();
    audit_.check_doubles();
  }

  run_settings settings_;
  std::uint64_t most_messages_;     ///< between the ends of tasks, besides idle ones; 0: no limit
  double idle_messages_;            ///< per second, at most
  std::uint64_t messages_then_ = 0; ///< handled when a task had ended
  instant then_{0};
  std::optional<std::string> endless_;
  std::shared_ptr<run_record> record_ = std::make_shared<run_record>();
  std::vector<fault> faults_;
  std::vector<fault> plan_; ///< these, and the joins and leaves of machines
  fault_schedule schedule_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  virtual_coordinator& time_;
  event_log log_;
  audit audit_;
  simulated_cluster cluster_;
};

} // namespace

std::string why_no_chaos(const run_settings& settings) {
  auto watched = settings;
  watched.failures.watch = watch_kind::on;
  return why_endless(watched);
}

chaos_outcome run_chaos(const run_settings& settings, std::size_t keep_events,
                        std::uint64_t most_messages) {
  return chaos_run{settings, keep_events, most_messages, growth_of(settings)}.run();
}

chaos_outcome run_chaos(const run_settings& settings, std::shared_ptr<const growth_plan> growth,
                        std::size_t keep_events) {
  return chaos_run{settings, keep_events, 0, std::move(growth)}.run();
}

} // namespace troupe
