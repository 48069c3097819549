#pragma once

#include "failures/trial_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe::trials {

/// A cluster that runs the commands of jobs.
struct jobs_plan {
  std::filesystem::path troupe;       ///< the program
  std::filesystem::path directory;    ///< for the files of the cluster
  std::filesystem::path config;       ///< the settings
  std::vector<std::string> overrides; ///< of settings, KEY=VALUE
  std::string architecture = "parsync";
  std::string database;        ///< an address of PostgreSQL, for the jobs; empty: SQLite
  std::uint32_t machines = 2;  ///< each is a node of its own
  std::uint32_t most = 0;      ///< machines that may be there at a time; 0: as many
  bool members_apart = false;  ///< owners and schedulers have two nodes each of their own
  bool separate_hosts = false; ///< each node has a network of its own, which can be cut
  std::chrono::seconds patience{120};
};

/// Returns the plan of its nodes: "k" keeps the jobs, with the roles master, workload and api; with
/// a database, "k" or "k2" does. "o1", "o2" have owners, "s1", "s2" schedulers; where members have
/// no nodes of their own, "k" has these roles too, and with a database "s". "h1" and so on are the
/// machines.
cluster_plan job_cluster(const jobs_plan& plan);

/// Returns the addresses of the API, with their tokens, separated by commas; empty before a keeper
/// has served it once.
std::string api_of(const trial_cluster& cluster);

/// Returns the file with the jobs of a cluster with this directory.
std::filesystem::path store_in(const std::filesystem::path& directory);

/// Returns the program and its arguments for `troupe WORDS...` of a client, which finds the API.
std::vector<std::string> client_words(trial_cluster& cluster, std::vector<std::string> words);

/// Runs `troupe WORDS...` of a client. Returns its output if its exit code is 0.
std::optional<std::string> run_client(trial_cluster& cluster, std::vector<std::string> words);

/// Returns what the API answers to GET `target`, from the first keeper that answers with success;
/// nothing if none does. Without a process, unlike `run_client`.
std::optional<json> ask_api(trial_cluster& cluster, const std::string& target);

/// Waits until a client gets an answer; throws `std::runtime_error` if none comes.
void wait_for_api(trial_cluster& cluster);

} // namespace troupe::trials
