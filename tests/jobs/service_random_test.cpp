#include "kinds_of_stores.hpp"
#include "service_fixture.hpp"

#include <map>
#include <random>
#include <set>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

/// Random sequences of faults, by seed: nodes and a scheduling layer that do what they may do at
/// worst, and a service that is killed around its commits. A count of what really runs, by task,
/// shows that no task runs twice at a time; at the end each job is over, and the store has an
/// attempt for each start.
namespace {

constexpr auto step = 500ms;
constexpr auto lease = 10s;

struct cluster {
  std::mt19937_64 random;
  served_jobs at;
  bool calm = false; ///< no more faults

  /// A command and its supervisor, which outlive the node's process.
  struct supervised {
    instant ends{0};
    instant lease_end{0};
    attempt_end end;
  };

  struct node {
    std::string name;
    std::uint64_t boot = 1;
    bool gone = false; ///< its state with it: only leases end what runs there
    instant frozen_until{0};
    std::map<task_id, int> wants;
    std::map<attempt_key, supervised> running;
    std::map<attempt_key, attempt_end> ended;
    std::set<attempt_key> known;
    std::set<attempt_key> stopped; ///< before they were started
  };

  struct letter {
    instant arrives{0};
    std::size_t from = 0;
    instant sent{0};
    work_report report;
  };

  std::vector<node> nodes;
  std::vector<letter> letters;
  std::map<job_id, std::uint32_t> placed_jobs; ///< of the scheduling layer, with their sizes
  std::map<job_task, int> alive;               ///< what really runs
  std::map<job_task, int> starts;
  int twice = 0;
  std::uint64_t reborn = 0;

  cluster(std::uint64_t seed, std::shared_ptr<job_database> in) : random(seed), at(std::move(in)) {
    for (int i = 0; i < 4; ++i)
      add_node();
  }

  bool chance(int percent) { return static_cast<int>(random() % 100) < percent; }
  bool fault(int percent) { return !calm && chance(percent); }

  void add_node() {
    node n;
    n.name = "node-" + std::to_string(reborn++);
    nodes.push_back(std::move(n));
  }

  attempt_end random_end(const attempt_key& which) {
    attempt_end e;
    e.which = which;
    if (fault(10))
      e.reason = static_cast<end_reason>(random() % 11);
    if (e.reason == end_reason::none)
      e.exit_code = chance(85) ? 0 : 1;
    return e;
  }

  void place(task_id as) { ++nodes[random() % nodes.size()].wants[as]; }

  void schedule() {
    for (const auto& made : at.service->take_new()) {
      placed_jobs[made.id] = made.task_count();
      for (std::uint32_t i = 0; i < made.task_count(); ++i) {
        place({made.id, i});
        if (fault(20)) // a second placement of the same task
          place({made.id, i});
      }
    }
    for (const auto id : at.service->take_withdrawn())
      for (auto& n : nodes)
        std::erase_if(n.wants, [&](const auto& w) { return w.first.job == id; });
  }

  void start(node& n, const start_permit& permit, instant sent) {
    if (!n.known.insert(permit.which).second)
      return;
    const auto lease_end = sent + lease * 9 / 10;
    if (n.stopped.contains(permit.which) || lease_end <= at.time) {
      attempt_end e;
      e.which = permit.which;
      e.reason = end_reason::lease;
      n.ended[permit.which] = e;
      return;
    }
    supervised s;
    s.lease_end = lease_end;
    s.ends = at.time + duration{random() % static_cast<std::uint64_t>(duration{6s}.count())};
    s.end = random_end(permit.which);
    n.running[permit.which] = s;
    const job_task task{permit.which.job, permit.which.task};
    ++starts[task];
    if (++alive[task] > 1)
      ++twice;
  }

  void end(node& n, attempt_key which, const attempt_end& e) {
    --alive[{which.job, which.task}];
    n.running.erase(which);
    n.ended[which] = e;
  }

  void run_commands() {
    for (auto& n : nodes)
      for (auto it = n.running.begin(); it != n.running.end();) {
        const auto [which, s] = *it++;
        if (s.lease_end <= at.time) {
          attempt_end e;
          e.which = which;
          e.reason = end_reason::lease;
          end(n, which, e);
        } else if (s.ends <= at.time) {
          end(n, which, s.end);
        }
      }
  }

  void report(std::size_t i) {
    auto& n = nodes[i];
    letter l{at.time, i, at.time, {n.name, n.boot, "state of " + n.name, {}, {}, {}}};
    for (const auto& [as, _] : n.wants)
      l.report.wants.push_back(as);
    for (const auto& [which, _] : n.running)
      l.report.running.push_back(which);
    for (const auto& [_, e] : n.ended)
      l.report.ended.push_back(e);
    if (fault(15))
      l.arrives += duration{random() % static_cast<std::uint64_t>(duration{8s}.count())};
    if (fault(10))
      return; // lost
    if (fault(15)) {
      auto again = l;
      again.arrives += 3s;
      letters.push_back(again);
    }
    letters.push_back(std::move(l));
  }

  void deliver() {
    for (std::size_t i = 0; i < letters.size();) {
      if (letters[i].arrives > at.time) {
        ++i;
        continue;
      }
      const auto l = std::move(letters[i]);
      letters.erase(letters.begin() + static_cast<std::ptrdiff_t>(i));
      crash_around();
      const auto answer = at.service->hear(l.report);
      revive();
      auto& n = nodes[l.from];
      const bool same = n.name == l.report.node && n.boot == l.report.boot && !n.gone;
      if (same && n.frozen_until <= at.time && !fault(10))
        take(n, answer, l.sent);
    }
  }

  void take(node& n, const work_answer& answer, instant sent) {
    for (const auto& which : answer.seen)
      n.ended.erase(which);
    for (const auto& which : answer.renewed)
      if (const auto it = n.running.find(which); it != n.running.end())
        it->second.lease_end = std::max(it->second.lease_end, sent + lease * 9 / 10);
    for (const auto& permit : answer.permits) {
      if (permit.verdict == start_verdict::wait || !n.wants.contains(permit.as))
        continue;
      n.wants.erase(permit.as);
      if (permit.verdict == start_verdict::run)
        start(n, permit, sent);
    }
    for (const auto& stop : answer.stops) {
      attempt_end e;
      e.which = stop.which;
      e.reason = stop.reason;
      if (stop.reason == end_reason::host_failed && n.known.contains(stop.which)) // a question
        continue;
      if (n.running.contains(stop.which))
        end(n, stop.which, e);
      else if (!n.ended.contains(stop.which) && n.stopped.insert(stop.which).second)
        n.ended[stop.which] = e;
    }
  }

  void crash_around() {
    if (fault(3))
      at.store->dies_before = true;
    else if (fault(3))
      at.store->dies_after = true;
    else if (fault(2))
      at.store->full = true;
    else if (fault(2))
      at.store->away = true;
  }

  /// What the operator does when the service is away.
  void revive() {
    at.store->dies_before = at.store->dies_after = false;
    if ((at.store->full || at.store->away) && chance(50)) {
      at.store->full = at.store->away = false;
      at.pass(2s);
    } else if (!at.service->available() || fault(2)) {
      at.store->full = at.store->away = false;
      at.restart();
    }
  }

  void disturb() {
    for (auto& n : nodes) {
      if (fault(1))
        n.frozen_until = at.time + duration{random() % 30'000'000'000U};
      if (fault(1)) { // killed and started again; supervisors go on
        ++n.boot;
        lose_wants(n);
        // The first report of the new process is not lost in the middle: the node repeats it.
      }
      if (fault(1) && nodes.size() < 30) { // gone for good; another machine comes
        n.gone = true;
        lose_wants(n);
        add_node();
        break; // `nodes` has moved
      }
    }
  }

  /// The scheduling layer gives a task up.
  void abandon() {
    for (auto& n : nodes)
      if (!n.wants.empty() && fault(2)) {
        const auto as = n.wants.begin()->first;
        n.wants.erase(n.wants.begin());
        at.service->scheduled_over(as, chance(50) ? task_fate::abandoned : task_fate::lost);
      }
  }

  /// The scheduling layer finds out, and places the tasks elsewhere.
  void lose_wants(node& n) {
    for (const auto& [as, _] : std::exchange(n.wants, {})) {
      std::size_t to = random() % nodes.size();
      while (nodes[to].gone)
        to = random() % nodes.size();
      ++nodes[to].wants[as];
    }
  }

  void move_wants_of_the_gone() {
    for (auto& n : nodes)
      if (n.gone && !n.wants.empty())
        lose_wants(n);
  }

  void live() {
    at.time += step;
    at.service->tick();
    disturb();
    run_commands();
    schedule();
    move_wants_of_the_gone();
    abandon();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!nodes[i].gone && nodes[i].frozen_until <= at.time)
        report(i);
    deliver();
  }
};

std::string random_job(std::mt19937_64& random, std::uint64_t jobs_so_far) {
  std::string json = R"({"groups":[)";
  const auto groups = 1 + random() % 3;
  for (std::uint64_t g = 0; g < groups; ++g) {
    json += (g > 0 ? "," : "") + std::string{R"({"command":["x"],"lease":"10s","name":"g)"} +
            std::to_string(g) + R"(","count":)" + std::to_string(1 + random() % 5) +
            R"(,"retries":)" + std::to_string(random() % 3);
    if (g > 0 && random() % 2 == 0)
      json += R"(,"after":["g)" + std::to_string(random() % g) + R"("])";
    json += '}';
  }
  json += ']';
  if (jobs_so_far > 0 && random() % 4 == 0)
    json += R"(,"after":[)" + std::to_string(1 + random() % jobs_so_far) + ']';
  return json + '}';
}

} // namespace

TEST_CASE_TEMPLATE("no task runs twice at a time, and each job ends, under random faults", Kind,
                   in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  constexpr std::uint64_t seeds = std::is_same_v<Kind, in_sqlite> ? 30 : 3;
  std::uint64_t succeeded = 0;
  std::uint64_t cancelled = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    Kind here;
    cluster c{seed, here.open()};
    std::uint64_t jobs = 0;
    for (int i = 0; i < 200; ++i) {
      if (i < 100 && c.chance(15)) {
        // A client repeats what was not answered, with its key.
        const auto spec = read_job_json(random_job(c.random, jobs));
        for (bool answered = false; !answered;) {
          c.crash_around();
          c.at.service->submit(spec, "key " + std::to_string(jobs), [&](submit_outcome o) {
            answered =
              o.what == submit_outcome::kind::made || o.what == submit_outcome::kind::repeated;
            if (answered)
              CHECK(o.id == jobs + 1);
          });
          c.revive();
        }
        ++jobs;
      }
      if (jobs > 0 && c.chance(2))
        c.at.cancel(1 + c.random() % jobs);
      if (jobs > 0 && c.chance(2))
        c.at.retry(1 + c.random() % jobs);
      c.revive();
      c.live();
    }
    c.calm = true;
    for (auto& n : c.nodes)
      n.frozen_until = instant{0};
    const auto live = [&] { return !c.at.store->jobs({.live_only = true}, 0, 1).empty(); };
    int rounds = 0;
    while (live() && ++rounds < 2'000) {
      c.revive();
      c.live();
    }
    CHECK_FALSE(live());
    CHECK(c.twice == 0);
    CHECK(c.at.store->jobs({}, 0, 10'000).size() == jobs);
    for (std::uint64_t id = 1; id <= jobs; ++id) {
      const auto row = c.at.job(id);
      succeeded += row.counts.succeeded;
      cancelled += row.counts.cancelled;
      for (std::uint32_t t = 0; t < row.tasks; ++t) {
        const auto attempts = c.at.store->attempts(id, t);
        CHECK(c.starts[{id, t}] <= static_cast<int>(attempts.size()));
        for (std::size_t k = 0; k < attempts.size(); ++k) {
          CHECK(attempts[k].which.attempt == k + 1);
          CHECK_FALSE(attempts[k].open);
        }
      }
    }
    const auto wrong = check_store(here.place()).faults;
    for (const auto& line : wrong)
      MESSAGE(line);
    CHECK(wrong.empty());
  }
  CHECK(succeeded > 30 * seeds);
  CHECK(cancelled > 3 * seeds);
}
