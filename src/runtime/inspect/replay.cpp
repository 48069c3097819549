#include "runtime/inspect/replay.hpp"

#include "actors/scheduler/explain/task_situation.hpp"
#include "report/csv/timeseries_csv.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/inspect/true_state.hpp"
#include "runtime/run/run.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

namespace troupe {

namespace {

/// The time over which the rate of a scheduler is measured.
constexpr duration rate_window = std::chrono::seconds{10};

/// Compares the rows of a run with those of another one, in order.
class row_check {
public:
  explicit row_check(const std::string& recorded) : in_(recorded), on_(!recorded.empty()) {}

  void add(const interval_record& row, const run_results& of) {
    if (!on_ || !differs_.empty())
      return;
    const bool policies = !of.policy_changes.empty();
    std::ostringstream out;
    if (rows_ == 0) {
      write_timeseries_header(out, policies);
      if (!agrees(out.str())) {
        differs_ = "timeseries.csv has other columns: the results are of another version";
        return;
      }
      out.str("");
    }
    write_timeseries_row(out, row, of, policies);
    if (agrees(out.str()))
      ++rows_;
    else
      differs_ = "the replay differs from timeseries.csv in line " + std::to_string(rows_ + 2) +
                 ": other settings, another version, or another program";
  }

  std::uint64_t rows() const { return rows_; }
  const std::string& differs() const { return differs_; }

private:
  bool agrees(const std::string& text) {
    std::istringstream lines{text};
    std::string mine;
    std::string theirs;
    while (std::getline(lines, mine))
      if (!std::getline(in_, theirs) || mine != theirs)
        return false;
    return true;
  }

  std::istringstream in_;
  bool on_;
  std::uint64_t rows_ = 0;
  std::string differs_;
};

class replayer final : public run_monitor, public run_inspector {
public:
  replayer(const run_settings& settings, const replay_question& question,
           const std::string& recorded, const std::function<bool(instant)>& progress)
    : settings_(settings), question_(question), rows_(recorded), progress_(progress) {
    watch_.job = question.job;
    watch_.task = question.task;
    watch_.asked_about = question.machine;
    stops_at_ = question.at ? question.at : question.until;
    // One look before the last one, for the rate of the scheduler.
    const instant last = stops_at_.value_or(settings.length);
    if (question.task && last > rate_window)
      looks_.push_back(last - rate_window);
    if (stops_at_)
      looks_.push_back(*stops_at_);
  }

  // -- as monitor -----------------------------------------------------------------------------

  void progress(const run_progress& at) override {
    if (progress_ && progress_(at.now))
      ends_ = true;
  }
  bool take_row(const interval_record& row, const run_results& so_far) override {
    // The rest of an interval that the end of the replay has cut short is no row of the run.
    if (!ending_ || over_)
      rows_.add(row, so_far);
    return true;
  }
  bool stop_requested() override {
    if (!question_.to_the_end && !question_.at && watch_.over())
      ends_ = true;
    ending_ = ending_ || ends_;
    return ends_ || !rows_.differs().empty();
  }

  // -- as inspector ---------------------------------------------------------------------------

  task_watch* watch(virtual_coordinator& time) override {
    watch_.now = [&time] { return time.now(); };
    return &watch_;
  }

  void begin(std::shared_ptr<const catalog> machines, member_finder find) override {
    answer.machines = machines;
    state_.emplace(settings_, std::move(machines), std::move(find));
    watch_.truth = [this](machine_id m) { return state_->facts(m, false); };
    watch_.deciding = [this](scheduler_id s) { note_reason(s); };
  }

  std::optional<instant> next() const override {
    return ends_ || looked_ == looks_.size() ? std::nullopt : std::optional{looks_[looked_]};
  }

  void look(instant now) override {
    if (++looked_ < looks_.size() || !stops_at_) {
      placed_ = placed_so_far();
      placed_at_ = now;
      return;
    }
    answer.look = look_at(now);
    ends_ = true;
  }

  void end(instant now) override {
    over_ = !ends_;
    answer.until = now;
    answer.over = over_;
    if (question_.task && !answer.look)
      answer.look = look_at(now);
  }

  void finish() {
    watch_.now = {};
    answer.what = std::move(watch_.what);
    answer.events = std::move(watch_.events);
    // Time may go on while the last sample is taken.
    std::erase_if(answer.events, [&](const watched_event& e) { return e.at > answer.until; });
    answer.rows = rows_.rows();
    answer.differs = rows_.differs();
  }

  replay_answer answer;

private:
  std::vector<std::uint64_t> placed_so_far() const {
    std::vector<std::uint64_t> all(state_->schedulers(), 0);
    for (scheduler_id s = 0; s < all.size(); ++s)
      if (const auto* core = state_->placing(s))
        all[s] = core->counts().placed;
      else if (const auto* prober = state_->probing(s))
        all[s] = prober->counts().placed;
    return all;
  }

  void note_reason(scheduler_id s) {
    const auto* core = state_->placing(s);
    if (core == nullptr || !question_.task)
      return;
    if (watch_.events.size() != seen_) // something has happened to it
      decisions_ = 0;
    ++decisions_;
    if (decisions_ > 8 && decisions_ % 64 != 0) {
      seen_ = watch_.events.size();
      return;
    }
    const task_id task{question_.job, *question_.task};
    const auto in = why_waits(core->parts(), task);
    if (in.why != latest_ || decisions_ == 1) {
      auto& e = watch_.note(watched::reason, s, task.index);
      e.why = latest_ = in.why;
      e.count = in.ahead;
    }
    seen_ = watch_.events.size();
  }

  task_look look_at(instant now) {
    task_look found;
    found.at = now;
    if (!question_.task)
      return found;
    const task_id task{question_.job, *question_.task};
    for (scheduler_id s = 0; s < state_->schedulers(); ++s) {
      if (const auto* core = state_->placing(s))
        found.in = situation_of(core->parts(), task, now, question_.machine);
      else if (const auto* prober = state_->probing(s))
        found.in = prober->situation_of(task);
      else if (const auto in = state_->in_plugin(s, task)) {
        found.in = *in;
        found.from_plugin = in->where != task_situation::place::unknown;
      }
      if (found.in.where == task_situation::place::unknown)
        continue;
      found.probes = probes(settings_, s);
      if (!placed_.empty() && now > placed_at_) {
        const auto n = placed_so_far()[s];
        if (n >= placed_[s])
          found.placed_per_s = static_cast<double>(n - placed_[s]) / to_seconds(now - placed_at_);
      }
      survey_truth(found);
      break;
    }
    return found;
  }

  void survey_truth(task_look& found) const {
    const auto& machines = state_->machines();
    const auto& in = found.in;
    const auto facts = [&](machine_id m) { return state_->facts(m, found.probes); };
    found.truth = survey(machines, in.wish, facts);
    if (in.owner != no_scheduler)
      found.owner_lives = state_->lives(in.owner);
    if (!question_.machine || *question_.machine >= machines.machines())
      return;
    const auto m = facts(*question_.machine);
    found.asked_truth = examine(machines, in.wish, *question_.machine, m);
    found.asked_waiting = m.waiting;
  }

  const run_settings& settings_;
  const replay_question& question_;
  row_check rows_;
  const std::function<bool(instant)>& progress_;
  task_watch watch_;
  std::optional<true_state> state_;
  std::optional<instant> stops_at_; ///< and looks
  std::vector<instant> looks_;
  std::size_t looked_ = 0;
  std::vector<std::uint64_t> placed_; ///< by scheduler, at `placed_at_`
  instant placed_at_{0};
  std::uint64_t decisions_ = 0;
  std::size_t seen_ = 0;
  wait_reason latest_ = wait_reason::none;
  bool ends_ = false;
  bool ending_ = false;
  bool over_ = false;
};

} // namespace

replay_answer replay(const run_settings& settings, const replay_question& question,
                     const std::string& recorded, const std::function<bool(instant)>& progress) {
  auto again = settings;
  again.records = record_level::tasks;
  replayer watcher{again, question, recorded, progress};
  run(again, watcher, &watcher);
  watcher.finish();
  return std::move(watcher.answer);
}

} // namespace troupe
