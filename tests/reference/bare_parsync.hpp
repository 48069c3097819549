#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <queue>
#include <random>
#include <vector>

/// ParSync (Feng et al., USENIX ATC 2021, section 4) as a bare model: arrays and a clock that steps
/// by 1 ms. It shares no code with Troupe, so that the two can disagree.
namespace troupe::test::bare {

enum class strategy { quality_first, latency_first, adaptive };

struct setup {
  std::size_t machines = 5000;
  std::size_t slots = 2; ///< of each machine
  std::size_t partitions = 100;
  std::size_t schedulers = 20; ///< the first half is group 0, the others group 1
  std::int64_t gap = 1000;     ///< ms
  std::int64_t decision = 10;  ///< ms for one task
  std::int64_t task = 5000;    ///< ms
  std::int64_t round_trip = 1; ///< ms between a commit and its answer
  double tau = 1.5;            ///< s
  double sigma = 0.5;          ///< of the lognormal scores
  bool full_sync = false;      ///< StateSync: all partitions once per gap
  strategy how = strategy::latency_first;
  std::int64_t phase = 20'000;           ///< ms
  std::vector<std::vector<double>> load; ///< by phase and group, of what the group can decide
};

/// Means over the tasks placed in one phase by one group.
struct figures {
  std::uint64_t placed = 0;
  std::uint64_t conflicts = 0;
  double delay = 0; ///< s
  double quality = 0;
};

class model {
public:
  model(const setup& s, std::uint64_t seed) : s_(s), random_(seed), truth_(s.machines, s.slots) {
    std::lognormal_distribution<double> score{0, s.sigma};
    for (std::size_t m = 0; m < s.machines; ++m)
      score_.push_back(score(random_));
    // The best machines of all partitions are alike, as are the worst.
    std::sort(score_.rbegin(), score_.rend());
    members_.resize(s.partitions);
    for (std::size_t m = 0; m < s.machines; ++m)
      members_[m % s.partitions].push_back(m);
    schedulers_.resize(s.schedulers);
    for (auto& each : schedulers_) {
      each.free = truth_;
      each.synced.assign(s.partitions, 0);
    }
  }

  /// Returns the figures by phase, then by group.
  std::vector<std::vector<figures>> run() {
    std::vector<std::vector<figures>> all(s_.load.size(), std::vector<figures>(2));
    const auto end = s_.phase * static_cast<std::int64_t>(s_.load.size());
    std::vector<std::size_t> turn(s_.schedulers);
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    for (now_ = 0; now_ < end; ++now_) {
      for (; !ends_.empty() && ends_.top().first <= now_; ends_.pop())
        ++truth_[ends_.top().second];
      const auto phase = static_cast<std::size_t>(now_ / s_.phase);
      sync();
      std::shuffle(turn.begin(), turn.end(), random_);
      for (const auto i : turn) {
        const auto group = i * 2 / s_.schedulers;
        arrive(schedulers_[i], s_.load[phase][group], i);
        step(schedulers_[i], all[phase][group]);
      }
    }
    for (auto& groups : all)
      for (auto& f : groups)
        if (f.placed > 0) {
          f.delay /= static_cast<double>(f.placed);
          f.quality /= static_cast<double>(f.placed);
        }
    return all;
  }

private:
  struct scheduler {
    std::vector<std::size_t> free;    ///< its view, by machine
    std::vector<std::int64_t> synced; ///< by partition, ms
    std::deque<std::int64_t> queue;   ///< when its tasks were submitted
    double due = 0;                   ///< of the next task, as a share of one
    std::int64_t busy_until = -1;     ///< with the head of the queue; -1: idle
    std::size_t chosen = 0;
    double average_delay = 0; ///< s
    bool any_delay = false;
  };

  /// Every gap / N, scheduler i gets the partitions p for which (p + round) mod N is i.
  void sync() {
    const auto rounds = s_.full_sync ? std::int64_t{1} : static_cast<std::int64_t>(s_.schedulers);
    const auto every = s_.gap / rounds;
    if (now_ % every != 0)
      return;
    const auto round = static_cast<std::size_t>(now_ / every);
    for (std::size_t i = 0; i < s_.schedulers; ++i)
      for (std::size_t p = 0; p < s_.partitions; ++p)
        if (s_.full_sync || (p + round) % s_.schedulers == i) {
          auto& to = schedulers_[i];
          for (const auto m : members_[p])
            to.free[m] = truth_[m];
          to.synced[p] = now_;
          if (to.busy_until >= 0 && to.chosen % s_.partitions == p)
            charge(to);
        }
  }

  static void charge(scheduler& to) {
    if (to.free[to.chosen] > 0)
      --to.free[to.chosen];
  }

  void arrive(scheduler& to, double load, std::size_t number) {
    if (now_ == 0) // tasks of different schedulers come at different times
      to.due = static_cast<double>(number) / static_cast<double>(s_.schedulers);
    for (to.due += load / static_cast<double>(s_.decision); to.due >= 1; to.due -= 1)
      to.queue.push_back(now_);
  }

  void step(scheduler& of, figures& to) {
    if (of.busy_until >= 0 && of.busy_until <= now_) {
      of.busy_until = -1;
      auto& room = truth_[of.chosen];
      if (room == 0) {
        of.free[of.chosen] = 0;
        ++to.conflicts; // and the task is still the head of the queue
      } else {
        --room;
        ends_.emplace(now_ + s_.task, of.chosen);
        const auto delay = static_cast<double>(now_ + s_.round_trip - of.queue.front()) / 1000;
        of.queue.pop_front();
        of.average_delay = of.any_delay ? 0.9 * of.average_delay + 0.1 * delay : delay;
        of.any_delay = true;
        ++to.placed;
        to.delay += delay;
        to.quality += score_[of.chosen];
      }
    }
    if (of.busy_until < 0 && !of.queue.empty() && pick(of)) {
      charge(of);
      of.busy_until = now_ + s_.decision;
    }
  }

  /// The sum of the scores of the free slots that a scheduler sees in a partition.
  double weight(const scheduler& of, std::size_t p, std::size_t& slots) const {
    double sum = 0;
    for (const auto m : members_[p]) {
      sum += score_[m] * static_cast<double>(of.free[m]);
      slots += of.free[m];
    }
    return sum;
  }

  /// Chooses a machine: each free slot of the chosen partitions with a chance like its score.
  bool pick(scheduler& of) {
    const bool latency = s_.how == strategy::latency_first ||
                         (s_.how == strategy::adaptive && of.average_delay > s_.tau);
    std::vector<double> weights(s_.partitions, 0);
    std::int64_t newest = -1;
    double best = 0;
    std::size_t best_partition = s_.partitions;
    const auto start = random_() % s_.partitions;
    for (std::size_t k = 0; k < s_.partitions; ++k) {
      const auto p = (start + k) % s_.partitions;
      std::size_t slots = 0;
      weights[p] = weight(of, p, slots);
      if (slots == 0)
        continue;
      newest = std::max(newest, of.synced[p]);
      if (weights[p] / static_cast<double>(slots) > best) {
        best = weights[p] / static_cast<double>(slots);
        best_partition = p;
      }
    }
    if (newest < 0)
      return false;
    for (std::size_t p = 0; p < s_.partitions; ++p)
      if (latency ? of.synced[p] != newest : p != best_partition)
        weights[p] = 0;
    const auto p = std::discrete_distribution<std::size_t>{weights.begin(), weights.end()}(random_);
    std::vector<double> machines;
    for (const auto m : members_[p])
      machines.push_back(score_[m] * static_cast<double>(of.free[m]));
    of.chosen = members_[p][std::discrete_distribution<std::size_t>{machines.begin(),
                                                                    machines.end()}(random_)];
    return true;
  }

  setup s_;
  std::mt19937_64 random_;
  std::int64_t now_ = 0; ///< ms
  std::vector<std::size_t> truth_;
  std::vector<double> score_;
  std::vector<std::vector<std::size_t>> members_; ///< of partitions
  std::vector<scheduler> schedulers_;
  using task_end = std::pair<std::int64_t, std::size_t>;
  std::priority_queue<task_end, std::vector<task_end>, std::greater<>> ends_;
};

} // namespace troupe::test::bare
