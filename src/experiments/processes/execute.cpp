#include "experiments/processes/execute.hpp"

#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/value_error.hpp"
#include "experiments/sweeps/bisection.hpp"
#include "experiments/sweeps/goal.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace troupe {

namespace {

std::string ending(int exit_code) {
  if (exit_code > 128)
    return "ended by signal " + std::to_string(exit_code - 128);
  return "exit code " + std::to_string(exit_code);
}

/// The text after the last key of "a.b.c".
std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

/// All seeds of one configuration, as they come in.
struct batch {
  std::size_t run = 0;
  std::optional<std::int64_t> value; ///< of the setting searched for
  bool verifying = false;
  std::size_t waiting = 0;
  std::vector<seed_result> seeds;
};

/// One run to be started.
struct work {
  std::size_t batch = 0;
  std::size_t seed = 0; ///< counted from 0
};

class execution {
public:
  execution(std::span<const planned_run> plans, std::size_t jobs, launcher& by,
            execution_monitor& monitor)
    : jobs_(jobs), launcher_(&by), monitor_(&monitor) {
    for (const auto& plan : plans)
      results_.push_back({.plan = plan});
    for (std::size_t r = 0; r < results_.size(); ++r) {
      const auto& find = results_[r].plan.find;
      if (find)
        searches_.emplace(r, bisection(find->from, find->to, find->step));
      begin(r, find ? searches_.at(r).next() : std::nullopt);
    }
  }

  std::vector<run_result> run() {
    for (;;) {
      while (!ready_.empty() && running_ < jobs_ && !launcher_->stop_requested())
        start();
      if (running_ == 0)
        return std::move(results_);
      if (auto ended = launcher_->wait()) {
        --running_;
        ++done_;
        reused_ += ended->reused ? 1 : 0;
        take(ended->id, std::move(ended->reply));
      }
      monitor_->progress({done_, total(), running_, reused_, last_});
    }
  }

private:
  void begin(std::size_t r, std::optional<std::int64_t> value, bool verifying = false) {
    const auto seeds = results_[r].plan.seeds;
    batches_.push_back({r, value, verifying, seeds, std::vector<seed_result>(seeds)});
    for (std::size_t s = 0; s < seeds; ++s)
      ready_.push_back({batches_.size() - 1, s});
  }

  void start() {
    const auto next = ready_.front();
    ready_.pop_front();
    launcher_->start(started_.size(), request(next));
    started_.push_back(next);
    ++running_;
  }

  run_request request(const work& w) const {
    const auto& b = batches_[w.batch];
    const auto& plan = results_[b.run].plan;
    run_request r{plan.name, plan.config, plan.set, w.seed + 1,
                  plan.folder.empty() ? std::filesystem::path(plan.name) : plan.folder};
    if (b.value) {
      const auto value = plan.find->scale.text(*b.value);
      r.set.push_back(plan.find->set + "=" + value);
      const auto step = std::string(last_part(plan.find->set)) + "=" + value;
      r.label += ", " + step;
      r.folder /= step;
    }
    r.label += ", seed " + std::to_string(r.seed);
    r.folder /= "seed-" + std::to_string(r.seed);
    return r;
  }

  void take(std::size_t id, run_reply reply) {
    const auto& w = started_[id];
    auto& b = batches_[w.batch];
    auto& seed = b.seeds[w.seed];
    last_ = request(w).label;
    seed.seed = w.seed + 1;
    seed.summary = std::move(reply.summary);
    const bool stopped = launcher_->stop_requested();
    note_checks(b.run, seed);
    if (reply.exit_code != 0 && seed.failed_checks.empty()) {
      seed.failure = ending(reply.exit_code) + (reply.errors.empty() ? "" : ": " + reply.errors);
      seed.summary = nullptr;
      if (!stopped)
        fail(b.run, last_ + ": " + seed.failure);
    }
    const bool ends_batch =
      reply.exit_code == results_unwritable && !std::exchange(leaves_out_, true);
    if (--b.waiting == 0 && !stopped)
      complete(w.batch);
    if (ends_batch && !stopped)
      leave_out_rest();
  }

  /// Starts none of the runs that wait, whose results could not be written either.
  void leave_out_rest() {
    const auto rest = std::exchange(ready_, {});
    monitor_->failed("results cannot be written: no other run is started, and " +
                     std::to_string(rest.size()) + (rest.size() == 1 ? " is" : " are") +
                     " left out");
    for (const auto& w : rest) {
      auto& b = batches_[w.batch];
      b.seeds[w.seed].seed = w.seed + 1;
      b.seeds[w.seed].failure = run_left_out;
      if (--b.waiting == 0)
        complete(w.batch);
    }
  }

  void note_checks(std::size_t run, seed_result& seed) {
    if (!seed.summary.is_object() || !seed.summary.contains("checks"))
      return;
    for (const auto& check : seed.summary["checks"])
      if (!check["passed"].get<bool>())
        seed.failed_checks.push_back(check["name"].get<std::string>() + ": " +
                                     check["detail"].get<std::string>());
    for (const auto& check : seed.failed_checks)
      fail(run, last_ + ": self-check failed: " + check);
  }

  void fail(std::size_t run, const std::string& text) {
    results_[run].problems.push_back(text);
    monitor_->failed(text);
  }

  void complete(std::size_t b) {
    const auto r = batches_[b].run;
    auto& result = results_[r];
    const auto value = batches_[b].value;
    auto seeds = std::move(batches_[b].seeds);
    if (!value) {
      result.seeds = std::move(seeds);
      return;
    }
    if (leaves_out_) {
      result.failure = "the search ended early, as results cannot be written";
      result.problems.push_back(result.plan.name + ": " + result.failure);
      searches_.erase(r);
      return;
    }
    goal_report report;
    try {
      report = goal_report_of(result.plan.find->goal, seeds);
    } catch (const value_error& error) {
      result.failure = "the goal cannot be evaluated for " + result.plan.find->set + " = " +
                       result.plan.find->scale.text(*value) + ": " + error.what();
      fail(r, result.plan.name + ": " + result.failure);
      searches_.erase(r);
      return;
    }
    const bool good = report.good;
    const bool verifying = batches_[b].verifying;
    result.steps.push_back(
      {*value, good, verifying, std::move(report.values), std::move(report.lack)});
    monitor_->stepped(result.plan, result.steps.back());
    if (verifying)
      return;
    auto& search = searches_.at(r);
    search.tell(good);
    if (good || result.seeds.empty())
      result.seeds = std::move(seeds);
    if (const auto next = search.next()) {
      begin(r, next);
      return;
    }
    result.found = search.found();
    if (result.found && result.plan.find->verified)
      verify(r);
  }

  /// Tries the values halfway from the one found to either end, unless they have been.
  void verify(std::size_t r) {
    const auto& find = *results_[r].plan.find;
    const auto found = *results_[r].found;
    const auto halfway = [&](std::int64_t a, std::int64_t b) {
      return a + (b - a) / find.step / 2 * find.step;
    };
    for (const auto value : {halfway(find.from, found), halfway(found, find.to)})
      if (std::ranges::find(results_[r].steps, value, &search_step::value) ==
          results_[r].steps.end())
        begin(r, value, true);
  }

  std::size_t total() const {
    auto all = done_ + running_ + ready_.size();
    for (const auto& [r, search] : searches_)
      if (const auto left = static_cast<std::size_t>(search.steps_left()); left > 1)
        all += (left - 1) * results_[r].plan.seeds;
    return all;
  }

  std::size_t jobs_;
  launcher* launcher_;
  execution_monitor* monitor_;
  std::vector<run_result> results_;
  std::map<std::size_t, bisection> searches_; ///< by run
  std::deque<batch> batches_;
  std::deque<work> ready_;
  std::vector<work> started_; ///< by id
  std::size_t running_ = 0;
  std::size_t done_ = 0;
  std::size_t reused_ = 0;
  bool leaves_out_ = false; ///< runs that have not been started
  std::string last_;
};

} // namespace

std::vector<run_result> execute(std::span<const planned_run> plans, std::size_t jobs, launcher& by,
                                execution_monitor& monitor) {
  return execution(plans, jobs, by, monitor).run();
}

} // namespace troupe
