#include "jobs/churn.hpp"
#include "jobs/command_rate.hpp"
#include "jobs/quantiles.hpp"
#include "jobs/replay.hpp"
#include "jobs/storm.hpp"
#include "jobs/submit_kills.hpp"
#include "support/postgres_server.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// Real commands on real processes: how many per second, and whether any is lost or runs twice while
// nodes fail.

namespace troupe::trials {

namespace {

namespace fs = std::filesystem;
using ordered_json = nlohmann::ordered_json;

struct bench_options {
  std::string troupe = TROUPE_PROGRAM;
  std::string config = TROUPE_CONFIGS "/jobs.toml";
  std::string out = "results/bench";
  std::vector<std::string> architectures{"parsync"};
  std::vector<std::string> settings;
  std::uint32_t machines = 0; ///< 0: as each part of the benchmark has them
  bool keep = false;
  bool cut = false;
  bool postgresql = false;
  rate_plan rate;
  kills_plan kills;
  storm_plan storm;
  churn_plan churn{.jobs = {.tasks = 300,
                            .shortest = std::chrono::milliseconds{50},
                            .longest = std::chrono::milliseconds{1'000}}};
  replay_plan replay;
  std::uint32_t patience_s = 1'200;
};

fs::path new_directory() {
  auto name = (fs::temp_directory_path() / "troupe-jobs-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create " + name);
  return name;
}

jobs_plan plan_for(const bench_options& o, const std::string& architecture, const fs::path& in) {
  jobs_plan plan;
  plan.troupe = fs::absolute(o.troupe);
  plan.directory = in;
  plan.config = fs::absolute(o.config);
  plan.overrides = o.settings;
  plan.architecture = architecture;
  plan.patience = std::chrono::seconds{o.patience_s};
  return plan;
}

/// Runs one part in a directory of its own, for each architecture. Returns whether all is good.
bool for_each_architecture(const bench_options& o, const std::string& part,
                           const std::function<bool(jobs_plan, ordered_json&)>& run) {
  ordered_json rows = ordered_json::array();
  bool good = true;
  for (const auto& architecture : o.architectures) {
    const auto scratch = new_directory();
    ordered_json row{{"architecture", architecture}};
    bool fine = false;
    try {
      fine = run(plan_for(o, architecture, scratch), row);
    } catch (const std::runtime_error& e) {
      std::cout << "| " << architecture << " | " << e.what() << " |" << std::endl;
      row["error"] = e.what();
    }
    rows.push_back(row);
    good = good && fine;
    if (fine && !o.keep)
      fs::remove_all(scratch);
    else
      std::cerr << architecture << ": see " << scratch.string() << std::endl;
  }
  fs::create_directories(o.out);
  std::ofstream{fs::path{o.out} / ("jobs-" + part + ".json")}
    << ordered_json{{"cores", std::thread::hardware_concurrency()}, {"rows", rows}}.dump(2) << '\n';
  return good;
}

bool run_rate(const bench_options& o) {
  std::cout << "| architecture | cores each | commands/s | to start, p50 | p99 | to end, p50 | p99 "
               "|\n|---|---|---|---:|---:|---:|---:|"
            << std::endl;
  const bool good = for_each_architecture(o, "rate", [&](jobs_plan plan, ordered_json& row) {
    plan.machines = o.machines > 0 ? o.machines : 1;
    const auto f = measure_rate(plan, o.rate);
    constexpr double median = 0.5;
    constexpr double high = 0.99;
    std::cout << fmt::format("| {} | {} | {:.0f} | {:.1f} ms | {:.1f} ms | {:.1f} ms | {:.1f} ms |",
                             plan.architecture, fmt::join(o.rate.cpus, ", "),
                             fmt::join(f.commands_per_s, ", "), quantile_of(f.start_ms, median),
                             quantile_of(f.start_ms, high), quantile_of(f.end_ms, median),
                             quantile_of(f.end_ms, high))
              << std::endl;
    row["cores"] = o.rate.cpus;
    row["commands_per_s"] = f.commands_per_s;
    row["start_p50_ms"] = quantile_of(f.start_ms, median);
    row["start_p99_ms"] = quantile_of(f.start_ms, high);
    row["end_p50_ms"] = quantile_of(f.end_ms, median);
    row["end_p99_ms"] = quantile_of(f.end_ms, high);
    return true;
  });
  const auto scratch = new_directory();
  for (const auto& other : measure_others(scratch, o.rate.commands))
    std::cout << fmt::format("{}: {:.0f} commands/s", other.name, other.commands_per_s)
              << std::endl;
  fs::remove_all(scratch);
  return good;
}

bool run_kills(const bench_options& o) {
  std::cout
    << "| architecture | kills | answered | repeated | jobs | lost | twice | not succeeded | "
       "longest gap | store |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    << std::endl;
  return for_each_architecture(o, "kills", [&](jobs_plan plan, ordered_json& row) {
    plan.machines = o.machines > 0 ? o.machines : 1;
    std::optional<test::postgres_server> server;
    auto kills = o.kills;
    if (o.postgresql) {
      server.emplace();
      plan.database = server->new_database();
      kills.kill_database = [&] {
        server->kill_hard();
        server->start();
      };
    } else {
      kills.database_every = 0;
    }
    const auto f = try_kills(plan, kills);
    std::cout << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} ms | {} |",
                             plan.architecture, o.kills.kills, f.answered, f.repeated, f.stored,
                             f.lost, f.twice, f.unfinished, f.longest_gap.count(),
                             f.damage.empty() ? "PASS" : fmt::format("{}", f.damage))
              << std::endl;
    row["kills"] = o.kills.kills;
    row["answered"] = f.answered;
    row["repeated"] = f.repeated;
    row["stored"] = f.stored;
    row["lost"] = f.lost;
    row["twice"] = f.twice;
    row["not_succeeded"] = f.unfinished;
    row["longest_gap_ms"] = f.longest_gap.count();
    row["damage"] = f.damage;
    return is_good(f);
  });
}

void add_to(ordered_json& row, const storm_figures& f) {
  row["tasks"] = f.tasks;
  row["succeeded"] = f.succeeded;
  row["attempts"] = f.attempts;
  row["started"] = f.started;
  row["lost"] = f.lost;
  row["together"] = f.together;
  row["repeated"] = f.repeated;
  row["unknown"] = f.unknown;
  row["early"] = f.out_of_order;
  row["damage"] = f.damage;
}

bool run_storm(const bench_options& o) {
  std::cout << "| architecture | faults | jobs | tasks | succeeded | attempts | started | lost | "
               "together | repeated | unknown | early | store | orders | other policies |\n"
               "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---|"
            << std::endl;
  return for_each_architecture(o, "storm", [&](jobs_plan plan, ordered_json& row) {
    plan.machines = o.machines > 0 ? o.machines : 4;
    plan.members_apart = true;
    plan.separate_hosts = o.cut;
    const auto f = try_storm(plan, o.storm);
    std::cout << fmt::format(
                   "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | "
                   "{} |",
                   plan.architecture, f.faults, f.jobs, f.tasks, f.succeeded, f.attempts, f.started,
                   f.lost, f.together, f.repeated, f.unknown, f.out_of_order,
                   f.damage.empty() ? "PASS" : fmt::format("{}", f.damage), f.orders,
                   f.other_policies.empty() ? "PASS" : fmt::format("{}", f.other_policies))
              << std::endl;
    row["faults"] = f.faults;
    row["jobs"] = f.jobs;
    add_to(row, f);
    row["orders"] = f.orders;
    row["other_policies"] = f.other_policies;
    return is_good(f);
  });
}

bool run_churn(const bench_options& o) {
  std::cout
    << "| architecture | joined | left | killed | tasks | succeeded | attempts | started | lost | "
       "together | repeated | unknown | early | store |\n"
       "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    << std::endl;
  return for_each_architecture(o, "churn", [&](jobs_plan plan, ordered_json& row) {
    plan.machines = 1;
    plan.most = o.churn.most + o.churn.changes;
    const auto f = try_churn(plan, o.churn);
    const auto& j = f.jobs;
    std::cout << fmt::format(
                   "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                   plan.architecture, f.joined, f.left, f.killed, j.tasks, j.succeeded, j.attempts,
                   j.started, j.lost, j.together, j.repeated, j.unknown, j.out_of_order,
                   j.damage.empty() ? "PASS" : fmt::format("{}", j.damage))
              << std::endl;
    row["joined"] = f.joined;
    row["left"] = f.left;
    row["killed"] = f.killed;
    add_to(row, j);
    return is_good(f);
  });
}

bool run_replay(const bench_options& o) {
  std::cout << "| architecture | jobs | tasks | recorded | replayed | delays | mean | p50 | p90 | "
               "p99 |\n|---|---:|---:|---:|---:|---|---:|---:|---:|---:|"
            << std::endl;
  return for_each_architecture(o, "replay", [&](jobs_plan plan, ordered_json& row) {
    plan.machines = o.machines > 0 ? o.machines : 4;
    const auto f = try_replay(plan, o.replay);
    std::vector<replayed_figure> of{compare_figure(f, mean_of)};
    for (const auto q : {0.5, 0.9, 0.99})
      of.push_back(compare_figure(
        f, [&](const std::vector<double>& delays) { return quantile_of(delays, q); }));
    const auto line = [&](const std::string& name, auto cell) {
      auto text = fmt::format("| {} | {} | {} | {} | {} | {} |", plan.architecture, f.jobs, f.tasks,
                              f.recorded, f.replayed, name);
      for (const auto& figure : of)
        text += ' ' + cell(figure) + " |";
      std::cout << text << std::endl;
    };
    line("cluster", [](const auto& x) { return fmt::format("{:.3f} s", x.cluster); });
    line(fmt::format("{} runs", o.replay.runs), [](const auto& x) {
      return fmt::format("{:.3f} to {:.3f} s", x.runs.front(), x.runs.back());
    });
    line("difference", [](const auto& x) { return fmt::format("{:+.1f} %", 100 * x.deviation()); });
    row["jobs"] = f.jobs;
    row["tasks"] = f.tasks;
    row["recorded"] = f.recorded;
    row["replayed"] = f.replayed;
    for (const auto& figure : of) {
      row["cluster_s"].push_back(figure.cluster);
      row["runs_s"].push_back(figure.runs);
    }
    constexpr double most = 0.1;
    return f.recorded == f.tasks && f.replayed == f.tasks &&
           std::ranges::all_of(of, [](const auto& x) { return x.agrees(most); });
  });
}

void add_parts(CLI::App& app, bench_options& o, bool& good) {
  app.require_subcommand(1);
  auto* rate = app.add_subcommand("rate", "Commands per second, and the latency of single ones");
  rate->add_option("--commands", o.rate.commands, "In one job")->capture_default_str();
  rate->add_option("--cpu", o.rate.cpus, "Cores that each asks for, in one job after the other")
    ->capture_default_str();
  rate->add_option("--singles", o.rate.singles, "Jobs of one command")->capture_default_str();
  rate->callback([&] { good = run_rate(o); });
  auto* kills =
    app.add_subcommand("kills", "Kills the node that keeps the jobs, under submissions");
  kills->add_option("--kills", o.kills.kills)->capture_default_str();
  kills->add_option("--submissions", o.kills.submissions, "For each kill")
    ->check(CLI::Range(2, 1'000'000))
    ->capture_default_str();
  kills->add_option("--clients", o.kills.clients, "At the same time")->capture_default_str();
  kills->add_option("--seed", o.kills.seed)->capture_default_str();
  kills->add_flag("--postgresql", o.postgresql,
                  "Two nodes that keep the jobs in turn, in a database of PostgreSQL of its own");
  kills
    ->add_option("--database-every", o.kills.database_every,
                 "With --postgresql: each kill with this number is the database's; 0: none is")
    ->capture_default_str();
  kills->callback([&] { good = run_kills(o); });
  auto* storm =
    app.add_subcommand("storm", "Kills, freezes and cuts off every kind of node in turn");
  storm->add_option("--tasks", o.storm.tasks)->capture_default_str();
  storm->add_option("--faults", o.storm.faults, "At most")->capture_default_str();
  storm->add_option("--seed", o.storm.seed)->capture_default_str();
  storm->add_flag("--cut", o.cut, "Each node on a network of its own, which is cut; as root");
  storm->callback([&] { good = run_storm(o); });
  auto* replay =
    app.add_subcommand("replay", "Records a cluster under load, and replays it in virtual time");
  replay
    ->add_option_function<std::uint32_t>(
      "--seconds", [&](std::uint32_t n) { o.replay.length = std::chrono::seconds{n}; },
      "Of submissions; default: 600")
    ->check(CLI::Range(1, 1'000'000));
  replay->add_option("--gang-every", o.replay.gang_every, "Each job with this number is a gang")
    ->capture_default_str();
  replay->add_option("--load", o.replay.load, "Part of all cores that is in use")
    ->capture_default_str();
  replay->add_option("--seed", o.replay.seed, "Of the jobs")->capture_default_str();
  replay->add_option("--runs", o.replay.runs, "Of the recording, each with a seed of its own")
    ->check(CLI::Range(1, 1'000))
    ->capture_default_str();
  replay->callback([&] { good = run_replay(o); });
  auto* churn = app.add_subcommand("churn", "Machines that join and leave under load");
  churn->add_option("--changes", o.churn.changes, "Joins and leaves")->capture_default_str();
  churn->add_option("--most", o.churn.most, "Machines at a time")
    ->check(CLI::Range(2, 100))
    ->capture_default_str();
  churn->add_option("--seed", o.churn.jobs.seed)->capture_default_str();
  churn->callback([&] { good = run_churn(o); });
}

} // namespace

} // namespace troupe::trials

int main(int argc, char** argv) {
  troupe::trials::bench_options options;
  bool good = false;
  CLI::App app{"Real commands on clusters of processes: their rate, and what failures do to them"};
  app.add_option("--troupe", options.troupe, "The program")->capture_default_str();
  app.add_option("--config", options.config, "The settings")->capture_default_str();
  app.add_option("--set", options.settings, "Further settings, KEY=VALUE");
  app.add_option("--architectures", options.architectures, "Architectures of the clusters")
    ->check(CLI::IsMember(
      {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}))
    ->capture_default_str();
  app.add_option("--machines", options.machines, "Nodes that are machines");
  app.add_option("--patience", options.patience_s, "Limit for each cluster, in seconds")
    ->capture_default_str();
  app.add_flag("--keep", options.keep, "Keep the files of every cluster");
  app.add_option("--out", options.out, "Directory for the results")->capture_default_str();
  troupe::trials::add_parts(app, options, good);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    std::cerr << "jobs_bench: " << e.what() << '\n';
  }
  return good ? 0 : 1;
}
