#include "cluster/local_cluster.hpp"

#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "nodes/agent/host_machine.hpp"
#include "report/json/parse_json.hpp"
#include "report/results/results_directory.hpp"
#include "report/text/printable.hpp"
#include "report/text/text.hpp"
#include "runtime/cluster/places.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

constexpr auto process_pause = std::chrono::milliseconds{50};
constexpr auto start_patience = std::chrono::seconds{60};
/// The time for a node to shut down gracefully before it is killed.
constexpr auto end_patience = std::chrono::seconds{20};
constexpr auto longest_backoff = std::chrono::milliseconds{10'000};
constexpr const char* client = "client";

std::string file_text(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Returns the last line of a log that is not empty.
std::string last_line(const fs::path& log) {
  std::ifstream in{log};
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \r") != std::string::npos)
      last = line.substr(line.rfind('\r') + 1);
  return last;
}

/// Returns the identities that need certificates: the client and the nodes.
std::vector<certified_identity> identities_in(const std::vector<planned_node>& plan) {
  std::vector<certified_identity> all{{client}};
  for (const auto& p : plan)
    all.push_back({p.name, read_roles(p.roles)});
  return all;
}

} // namespace

local_cluster::local_cluster(const cluster_directory& directory, const run_settings& settings,
                             const local_cluster_options& options)
  : directory_(directory), settings_(settings), options_(options) {
  std::vector<planned_node> plan;
  try {
    plan = plan_local_nodes(options.nodes, settings.cluster.machines, options.workload,
                            owner_places(settings) > 0, options.page.has_value(),
                            settings.runs_commands());
  } catch (const std::invalid_argument& e) {
    throw usage_error{std::string{"--nodes "} + std::to_string(options.nodes) + ": " + e.what()};
  }
  provide_certificates(options_.certs, identities_in(plan));
  for (auto& p : plan) {
    fs::create_directories(directory_.node(p.name));
    members_.push_back({std::move(p)});
  }
  if (!options_.quiet)
    printer_ = std::make_unique<progress_printer>(std::cerr, progress_on_stderr());
}

void local_cluster::say(const std::string& line) {
  if (options_.quiet)
    return;
  // Overwrites a line of progress.
  std::cerr << (redraws(STDERR_FILENO) ? "\r\x1b[K" : "") << printable(line) << std::endl;
}

// -- starting -----------------------------------------------------------------------------------

void local_cluster::start(member& m) {
  const auto& name = m.plan.name;
  std::vector<std::string> words{"node",
                                 "--name",
                                 name,
                                 "--roles",
                                 m.plan.roles,
                                 "--certs",
                                 options_.certs.string(),
                                 "--state",
                                 directory_.node(name).string(),
                                 "--log-level",
                                 options_.log_level};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (m.plan.machines > 0)
    add({"--machines", std::to_string(m.plan.machines)});
  if (&m == &members_.front())
    add({"--config", directory_.settings().string(), "--expect", std::to_string(members_.size()),
         "--listen", "127.0.0.1:" + std::to_string(at_.port)});
  else
    add({"--join", address_text(at_)});
  if (options_.page && &m == &with_page()) {
    add({"--serve", page_on_.empty() ? options_.page->on : page_on_});
    if (options_.page->tls)
      add({"--serve-tls"});
  }
  if (settings_.runs_commands() && m.plan.roles.find("machine") != std::string::npos) {
    add_share_of_host(words);
    if (!options_.run_as.empty())
      add({"--run-as", options_.run_as});
  }
  for (const auto& path : settings_.plugins.paths)
    if (&m != &members_.front()) // the settings of the first node name them
      add({"--plugin", path});
  if (&m == &members_.front() && options_.workload)
    add({"--out", directory_.results().string()});
  m.process =
    std::make_unique<node_process>(std::move(words), directory_.output(name), directory_.log(name));
  m.started = clock::now();
  m.start_again = clock::time_point::max();
}

/// Each machine has all cores of this host, which they share, and an equal part of its memory.
void local_cluster::add_share_of_host(std::vector<std::string>& words) const {
  const auto host = describe_host();
  const auto sharers = std::max(1U, options_.nodes - 1);
  const double gibibytes = host.capacity[resource::memory] / 1024.0 / sharers;
  for (const auto& word :
       {std::string{"--memory"}, fmt::format("{:.3f}", std::floor(gibibytes * 1000) / 1000)})
    words.push_back(word);
}

/// The node that serves the page.
local_cluster::member& local_cluster::with_page() {
  return settings_.runs_commands() ? members_.front() : members_.back();
}

void local_cluster::start_all() {
  auto& first = members_.front();
  start(first);
  const auto address = directory_.node(first.plan.name) / "address";
  while (!fs::exists(address)) {
    if (const auto end = first.process->ended())
      throw std::runtime_error(first.plan.name + ' ' + to_string(*end) + ": " +
                               last_line(directory_.log(first.plan.name)));
    if (clock::now() - first.started > start_patience)
      throw std::runtime_error(first.plan.name + " does not start; its log is " +
                               directory_.log(first.plan.name).string());
    if (caught_signal() != 0)
      return;
    std::this_thread::sleep_for(process_pause);
  }
  auto text = file_text(address);
  text.erase(text.find_last_not_of('\n') + 1);
  at_ = read_address(address.string(), text, false);
  for (auto& m : members_)
    if (!m.process)
      start(m);
  directory_.announce({at_, options_.certs, client});
  if (options_.page)
    wait_for_page();
  introduce();
  const fs::path certs{options_.certs};
  watch_.emplace(cluster_client_options{at_, tls_files{certs / (std::string{client} + ".crt"),
                                                       certs / (std::string{client} + ".key"),
                                                       certs / "ca.crt"}});
}

/// The page is served at the same address after a restart of its node, so that browsers find it.
void local_cluster::wait_for_page() {
  const auto& of = with_page();
  const auto until = clock::now() + start_patience;
  std::string url;
  while (url.empty() && of.process && !of.process->ended() && clock::now() < until &&
         caught_signal() == 0) {
    url = read_page_address(directory_.node(of.plan.name));
    std::this_thread::sleep_for(process_pause);
  }
  if (caught_signal() != 0)
    return;
  if (url.empty())
    throw std::runtime_error(
      of.plan.name + " does not serve the page: " + last_line(directory_.log(of.plan.name)));
  page_address_ = url;
  const auto host = url.find("//") + 2;
  page_on_ = url.substr(host, url.find('/', host) - host);
}

void local_cluster::introduce_page() const {
  if (options_.page)
    std::cout << "The live page is at " << page_address_ << "\n\n";
}

void local_cluster::introduce() const {
  const auto dir = directory_.path().string();
  const auto where = dir == "cluster" ? std::string{} : " --cluster " + dir;
  const auto last = members_[options_.nodes - 1].plan.name;
  std::cout << settings_.name << ": " << members_.size()
            << (members_.size() == 1 ? " node, " : " nodes, ")
            << count_text(settings_.runs_commands() ? std::max(1U, options_.nodes - 1)
                                                    : settings_.cluster.machines)
            << " machines, mutual TLS on loopback, state and logs in " << dir << "\n\n";
  introduce_page();
  std::cout << "In another terminal:\n\n"
            << "  troupe status" << where << "         shows the state of the cluster\n"
            << "  troupe nodes" << where << "          shows the nodes\n"
            << "  troupe top" << where << "            shows what goes on\n";
  if (!options_.page)
    std::cout << "  troupe serve" << where << "          shows it in a browser\n";
  if (settings_.runs_commands())
    std::cout << "  troupe submit" << where << " -- echo hello\n"
              << "                        runs a command; 'troupe jobs" << where
              << "' lists the jobs\n";
  if (options_.nodes > 2)
    std::cout << "  troupe drain " << last << where << "   drains a node\n";
  std::cout << "\nCtrl-C ends the cluster.\n" << std::endl;
}

// -- watching -----------------------------------------------------------------------------------

void local_cluster::died(member& m, const process_end& end) {
  const bool has_work = options_.workload && &m == &members_.front();
  auto line = m.plan.name + " (process " + std::to_string(m.process->pid()) + ") " + to_string(end);
  if (end.signal == 0 && end.code == 0)
    line =
      m.plan.name + " (process " + std::to_string(m.process->pid()) + ") has shut down gracefully";
  else
    line += "; its log is " + directory_.log(m.plan.name).string();
  if (end.signal == 0 && end.code != 0)
    line += ", which ends with: " + last_line(directory_.log(m.plan.name));
  m.process.reset();
  if (has_work && !over_) {
    lost_ = true;
    line += "; the workload has ended with it";
  }
  const bool again = options_.restart && !has_work && (end.signal != 0 || end.code != 0);
  if (again) {
    if (clock::now() - m.started > longest_backoff)
      m.backoff = std::chrono::milliseconds{500};
    m.start_again = clock::now() + m.backoff;
    m.backoff = std::min(m.backoff * 2, longest_backoff);
    line += "; it is restarted";
  }
  say(line);
}

void local_cluster::look_after_processes() {
  for (auto& m : members_) {
    if (m.process)
      if (const auto end = m.process->ended())
        died(m, *end);
    if (!m.process && clock::now() >= m.start_again)
      start(m);
  }
}

void local_cluster::look_at_news() {
  const auto news = watch_->latest();
  if (news.number == seen_)
    return;
  seen_ = news.number;
  if (!news.report) {
    if (std::exchange(answers_, false) && members_.front().process)
      say(members_.front().plan.name + " does not answer: " + news.trouble);
    return;
  }
  if (!std::exchange(answers_, true))
    say(members_.front().plan.name + " answers again");
  for (const auto& line : news_.compare(*news.report))
    say(line);
  for (const auto& r : news.report->reports)
    if (r.work.runs)
      show_work(r.work);
}

void local_cluster::show_work(const workload_progress& work) {
  const bool sampled = work.at > instant{0};
  if (over_ || lost_ || !(sampled || work.over))
    return;
  if (work_from_ == clock::time_point{})
    work_from_ = clock::now() - std::chrono::duration_cast<clock::duration>(work.at - instant{0});
  progress_.now = work.at;
  progress_.length = settings_.length;
  progress_.wall_seconds = std::chrono::duration<double>(clock::now() - work_from_).count();
  progress_.placed = work.placed;
  progress_.finished = work.finished;
  progress_.conflicts = work.conflicts;
  progress_.queued = work.queued;
  if (printer_)
    printer_->update(progress_);
  if (work.over)
    work_is_over();
}

void local_cluster::work_is_over() {
  over_ = true;
  if (printer_)
    printer_->finish(progress_);
  std::cout << file_text(directory_.output(members_.front().plan.name)) << std::flush;
  if (!options_.once && !ending_)
    say("the workload is over; the cluster continues until Ctrl-C");
}

// -- ending -------------------------------------------------------------------------------------

bool local_cluster::wait_for_end(member& m, std::chrono::seconds patience) {
  const auto until = clock::now() + patience;
  while (m.process && !m.process->ended()) {
    if (clock::now() >= until)
      return false;
    std::this_thread::sleep_for(process_pause);
  }
  return true;
}

void local_cluster::end_all() {
  ending_ = true;
  watch_.reset();
  // The first node writes the results, for which it needs the others. After that the others have no
  // node left to hand members over to, so they do not try.
  const auto ask = [](member& m) {
    if (!m.process)
      return;
    m.process->send(SIGTERM);
    m.process->send(SIGCONT);
  };
  const auto finish = [&](member& m) {
    if (!wait_for_end(m, end_patience)) {
      say(m.plan.name + " has not ended in time and is killed");
      m.process->send(SIGKILL);
    }
    m.process.reset();
  };
  ask(members_.front());
  finish(members_.front());
  for (auto& m : members_)
    ask(m);
  for (auto& m : members_)
    finish(m);
  if (!over_ && !lost_ && !file_text(directory_.output(members_.front().plan.name)).empty())
    work_is_over();
}

int local_cluster::code() const {
  if (lost_)
    return exit_code::failed;
  const int signal = caught_signal();
  if (over_) {
    const auto summary = read_json(directory_.results() / results_directory::summary_name);
    if (!summary.is_object())
      return signal != 0 ? 128 + signal : exit_code::failed;
    for (const auto& check : summary.value("checks", nlohmann::ordered_json::array()))
      if (!check.value("passed", false))
        return exit_code::failed;
    if (!summary.value("interrupted", false))
      return exit_code::done;
  }
  return signal != 0 ? 128 + signal : exit_code::done;
}

int local_cluster::run() {
  watch_signals();
  try {
    start_all();
    while (caught_signal() == 0 && !((over_ || lost_) && options_.once)) {
      std::this_thread::sleep_for(process_pause);
      look_after_processes();
      look_at_news();
    }
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
  return code();
}

} // namespace troupe
