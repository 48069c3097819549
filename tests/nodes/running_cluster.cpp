#include "nodes/running_cluster.hpp"

#include "failures/eventually.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <utility>

namespace troupe::test {

namespace {

// Many questions are programs that start.
constexpr trials::question_pace pace{std::chrono::milliseconds{200}, std::chrono::seconds{2}};

constexpr std::size_t longest_story = 2000; ///< of a node, in characters

std::vector<std::string> command(const scratch& here, const char* settings,
                                 const std::vector<std::string>& more) {
  here.write("small.toml", settings);
  std::vector<std::string> words{"cluster", "up", "small.toml"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<pid_t> pids_in(const json& status) {
  std::vector<pid_t> pids;
  if (status.is_object())
    for (const auto& n : status["nodes"])
      pids.push_back(n["pid"].get<pid_t>());
  return pids;
}

/// Writes what `cluster up` in a directory has said, and the ends of the logs of its nodes.
void tell(std::ostream& out, const std::filesystem::path& here, const program& up) {
  out << "cluster up said:\n" << up.said();
  std::error_code none;
  for (const auto& part : std::filesystem::directory_iterator{here / "cluster", none}) {
    const auto log = read_file(part.path() / "log");
    if (!log.empty())
      out << "\nthe log of " << part.path().filename().string() << " ends with:\n"
          << log.substr(log.size() - std::min(log.size(), longest_story));
  }
}

template <class Tells>
std::unique_ptr<doctest::IContextScope> when_a_check_fails(Tells tells) {
  return std::make_unique<doctest::detail::ContextScope<Tells>>(std::move(tells));
}

} // namespace

const char* const small_settings = R"(
name = "small"
schedulers = 4

[cluster]
machines = 100
slots = 10
partitions = 8
owners = 4

[workload]
arrivals = "poisson"
duration = { kind = "exponential", value = 0.5 }

[[workload.phases]]
length = "5s"
rate = 400
)";

bool eventually(const std::function<bool()>& holds, std::chrono::steady_clock::duration patience) {
  return trials::eventually(holds, patience, pace);
}

bool is_running(pid_t pid) {
  std::ifstream in{"/proc/" + std::to_string(pid) + "/stat"};
  std::string text;
  if (!std::getline(in, text))
    return false;
  const auto state = text.rfind(')') + 2;
  return state < text.size() && text[state] != 'Z' && text[state] != 'X';
}

running_cluster::running_cluster(const std::vector<std::string>& more, const char* settings)
  : up_(here_.path(), command(here_, settings, more)),
    story_(when_a_check_fails([this](std::ostream* out) { tell(*out, here_.path(), up_); })) {
  REQUIRE(up_.wait_for("the cluster has begun"));
  REQUIRE(eventually([&] {
    pids_ = pids_in(status());
    return !pids_.empty();
  }));
}

running_cluster::~running_cluster() = default;

json running_cluster::status() const {
  const auto contact =
    json::parse(read_file(here_.path() / "cluster" / "cluster.json"), nullptr, false);
  if (!contact.is_object())
    return nullptr;
  return asked_.ask(contact["host"].get<std::string>() + ':' +
                      std::to_string(contact["port"].get<int>()),
                    contact["certs"].get<std::string>(), contact["as"]);
}

json running_cluster::workload() const {
  json work;
  REQUIRE(eventually([&] {
    const auto all = status();
    work = all.is_object() ? all["workload"] : json(nullptr);
    return work.is_object();
  }));
  return work;
}

void running_cluster::wait_until_finished(int tasks) const {
  REQUIRE(eventually([&] { return workload()["finished"] > tasks; }));
}

json running_cluster::entry(const std::string& name) const {
  const auto all = status();
  if (all.is_object())
    for (const auto& n : all["nodes"])
      if (n["name"] == name)
        return n;
  return nullptr;
}

json running_cluster::node(const std::string& name) const {
  json n;
  REQUIRE(eventually([&] {
    n = entry(name);
    return n.contains("tasks_running");
  }));
  return n;
}

pid_t running_cluster::pid_of(const std::string& name) const {
  json n;
  REQUIRE(eventually([&] {
    n = entry(name);
    return n.is_object();
  }));
  return n["pid"].get<pid_t>();
}

bool running_cluster::none_is_left() const {
  return eventually([&] { return std::ranges::none_of(pids_, is_running); },
                    std::chrono::seconds{30});
}

json running_cluster::summary() const {
  return json::parse(file("summary.json"));
}

std::string running_cluster::file(const std::string& name) const {
  return read_file(here_.path() / "cluster" / "results" / name);
}

void check_ends_well(program& node, int signal) {
  node.send_signal(signal);
  const auto ended = node.wait();
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
}

} // namespace troupe::test
