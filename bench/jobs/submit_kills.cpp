#include "jobs/submit_kills.hpp"

#include "jobs/store/store_tools.hpp"
#include "settings/schema/varied_setting.hpp"
#include "web/http_client.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// The answers that all clients have got.
class answers {
public:
  explicit answers(std::chrono::seconds patience) : patience_(patience) {}

  /// `keeper`: the number of the node that has answered.
  void add(const std::string& key, std::uint64_t job, std::size_t keeper) {
    const std::lock_guard lock{mutex_};
    ids_[key] = job;
    keeper_ = keeper;
    last_ = clock::now();
    changed_.notify_all();
  }

  void repeat() { ++repeated_; }

  void fail(const std::string& why) {
    const std::lock_guard lock{mutex_};
    fault_ = why;
    changed_.notify_all();
  }

  /// Returns when the last one came, once there are `count`.
  clock::time_point wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience_,
                           [&] { return ids_.size() >= count || !fault_.empty(); }))
      throw std::runtime_error("submissions are not answered any more");
    if (!fault_.empty())
      throw std::runtime_error(fault_);
    return last_;
  }

  std::size_t size() {
    const std::lock_guard lock{mutex_};
    return ids_.size();
  }

  std::size_t keeper() {
    const std::lock_guard lock{mutex_};
    return keeper_;
  }

  const std::map<std::string, std::uint64_t>& ids() const { return ids_; }
  std::uint64_t repeated() const { return repeated_; }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::uint64_t> ids_;
  std::atomic<std::uint64_t> repeated_{0};
  clock::time_point last_{};
  std::size_t keeper_ = 0;
  std::string fault_;
  std::chrono::seconds patience_;
};

/// Submits jobs, one after the other, each until it is answered.
class client {
public:
  client(const trial_cluster& cluster, answers& to, const std::atomic<bool>& stop)
    : cluster_(cluster), to_(to), stop_(stop) {}

  void submit(const std::string& key) {
    const json body{{"name", key}, {"groups", {{{"name", "g"}, {"command", {"true"}}}}}};
    while (!stop_) {
      const auto id = try_once(key, body.dump());
      if (id) {
        to_.add(key, *id, keeper_);
        return;
      }
      to_.repeat();
      if (!http_)
        ++keeper_;
      std::this_thread::sleep_for(20ms);
    }
  }

private:
  std::optional<std::uint64_t> try_once(const std::string& key, const std::string& body) {
    try {
      if (!http_) {
        const auto all = split_at_commas(api_of(cluster_));
        keeper_ %= all.size();
        const auto at = api_address::read(all[keeper_]);
        if (!at)
          return std::nullopt;
        http_ = std::make_unique<http_client>(*at);
      }
      const auto answer =
        http_->send("POST", "/api/v1/jobs", body, {{"Idempotency-Key", key}}, 10s);
      if (answer.status == 200 || answer.status == 201)
        return json::parse(answer.body)["id"].get<std::uint64_t>();
      if (answer.status == 503) // a standby says so, too
        http_.reset();
      else if (answer.status != 429)
        to_.fail("a submission was answered with status " + std::to_string(answer.status) + ": " +
                 answer.body);
    } catch (const no_answer&) {
      http_.reset();
    }
    return std::nullopt;
  }

  const trial_cluster& cluster_;
  answers& to_;
  const std::atomic<bool>& stop_;
  std::size_t keeper_ = 0;
  std::unique_ptr<http_client> http_;
};

/// Clients that share the submissions of one round.
class round_of_clients {
public:
  round_of_clients(const trial_cluster& cluster, const kills_plan& plan, std::uint32_t round,
                   answers& to) {
    for (std::uint32_t c = 0; c < plan.clients; ++c)
      threads_.emplace_back([&cluster, &plan, &to, round, this] {
        client one{cluster, to, stop_};
        for (auto i = next_++; i < plan.submissions && !stop_; i = next_++)
          one.submit(std::to_string(round) + '-' + std::to_string(i));
      });
  }
  ~round_of_clients() {
    stop_ = true;
    for (auto& thread : threads_)
      thread.join();
  }
  round_of_clients(const round_of_clients&) = delete;
  round_of_clients& operator=(const round_of_clients&) = delete;

private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint32_t> next_{0};
  std::vector<std::thread> threads_;
};

void wait_for_ends(trial_cluster& cluster) {
  for (const char* state : {"queued", "running"})
    cluster.wait_for("no job is " + std::string{state}, [&] {
      const auto told = ask_api(cluster, "/api/v1/jobs?limit=1&state=" + std::string{state});
      return told && (*told)["jobs"].empty();
    });
}

void compare(const store_place& store, const std::map<std::string, std::uint64_t>& ids,
             kills_figures& figures) {
  figures.damage = check_store(store).faults;
  std::stringstream rows;
  export_store(store, rows);
  std::map<std::string, std::vector<std::uint64_t>> stored;
  for (std::string line; std::getline(rows, line);) {
    const auto row = json::parse(line);
    if (row.value("table", "") != "jobs")
      continue;
    stored[row["name"]].push_back(row["id"]);
    figures.unfinished += row["state"] == "succeeded" ? 0 : 1;
    ++figures.stored;
  }
  for (const auto& [key, jobs] : stored)
    figures.twice += jobs.size() - 1;
  for (const auto& [key, id] : ids) {
    const auto it = stored.find(key);
    figures.lost += it == stored.end() || std::ranges::find(it->second, id) == it->second.end();
  }
}

} // namespace

kills_figures try_kills(const jobs_plan& plan, const kills_plan& kills) {
  kills_figures figures;
  answers got{plan.patience};
  {
    trial_cluster cluster{job_cluster(plan)};
    cluster.start();
    wait_for_api(cluster);
    std::mt19937_64 draw{kills.seed};
    for (std::uint32_t round = 0; round < kills.kills; ++round) {
      const auto done = std::size_t{round} * kills.submissions;
      const round_of_clients clients{cluster, kills, round, got};
      got.wait_for(done + 1 + draw() % (kills.submissions - 1));
      const auto killed = clock::now();
      const auto before = got.size();
      if (kills.database_every > 0 && (round + 1) % kills.database_every == 0) {
        kills.kill_database();
      } else {
        const auto victim = cluster.keepers().at(got.keeper());
        cluster.process(victim).send(SIGKILL);
        cluster.process(victim).wait();
        cluster.start(victim);
      }
      const auto all = done + kills.submissions;
      const auto answered = got.wait_for(std::min(before + 1, all));
      figures.longest_gap =
        std::max(figures.longest_gap,
                 std::chrono::duration_cast<std::chrono::milliseconds>(answered - killed));
      got.wait_for(all);
    }
    wait_for_ends(cluster);
  }
  figures.answered = got.ids().size();
  figures.repeated = got.repeated();
  compare(plan.database.empty() ? store_place{store_in(plan.directory), {}}
                                : store_place{{}, plan.database},
          got.ids(), figures);
  return figures;
}

bool is_good(const kills_figures& f) {
  return f.answered > 0 && f.stored == f.answered && f.lost == 0 && f.twice == 0 &&
         f.unfinished == 0 && f.damage.empty();
}

} // namespace troupe::trials
