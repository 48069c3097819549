#include "failures/host_network.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe::trials {

namespace {

/// Starts a process that only holds a network namespace; returns -1 if that is impossible.
pid_t hold_namespace() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return -1;
  const auto parent = getpid();
  const auto pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const char made = unshare(CLONE_NEWNET) == 0 ? 1 : 0;
    if (getppid() != parent || write(ends[1], &made, 1) != 1 || made == 0)
      _exit(1);
    for (;;)
      pause();
  }
  char made = 0;
  const bool is_there = pid > 0 && read(ends[0], &made, 1) == 1 && made == 1;
  close(ends[0]);
  close(ends[1]);
  if (is_there)
    return pid;
  if (pid > 0)
    waitpid(pid, nullptr, 0);
  return -1;
}

std::string link_address(std::size_t host) {
  char text[18];
  std::snprintf(text, sizeof text, "02:00:00:00:00:%02x", static_cast<unsigned>(host + 1) & 0xff);
  return text;
}

void end_holder(pid_t pid) {
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
}

} // namespace

host_network::host_network(std::size_t hosts) {
  try {
    make(hosts);
  } catch (...) {
    end();
    throw;
  }
}

void host_network::make(std::size_t hosts) {
  const auto hold = [] {
    const auto pid = hold_namespace();
    if (pid < 0)
      throw std::runtime_error("no network namespace can be made");
    return pid;
  };
  switch_ = hold();
  run(on_switch(), {"ip", "link", "set", "lo", "up"});
  run(on_switch(), {"ip", "link", "add", "bridge", "type", "bridge"});
  run(on_switch(), {"ip", "address", "add", "10.77.0.254/24", "dev", "bridge"});
  run(on_switch(), {"ip", "link", "set", "bridge", "up"});
  for (std::size_t h = 0; h < hosts; ++h) {
    hosts_.push_back(hold());
    join(h);
  }
  for (std::size_t h = 0; h < hosts; ++h)
    introduce(h);
}

host_network::~host_network() {
  end();
}

void host_network::end() noexcept {
  for (const auto pid : hosts_)
    end_holder(pid);
  end_holder(switch_);
}

std::optional<std::string> host_network::why_not() {
  if (geteuid() != 0)
    return "network namespaces take root";
  try {
    host_network trial{2};
    trial.cut(0, 1);
    return std::nullopt;
  } catch (const std::exception& e) {
    return e.what();
  }
}

std::vector<std::string> host_network::inside(pid_t holder) {
  return {"nsenter", "--net=/proc/" + std::to_string(holder) + "/ns/net"};
}

void host_network::enter_switch() const {
  const auto file = "/proc/" + std::to_string(switch_) + "/ns/net";
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool entered = fd >= 0 && setns(fd, CLONE_NEWNET) == 0;
  close(fd);
  if (!entered)
    throw std::runtime_error("the switch's namespace cannot be entered");
}

void host_network::run(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  cluster_process command{"/", words, "/dev/null", "/dev/null"};
  if (const auto code = command.wait(); code != 0) {
    std::string text;
    for (const auto& word : more)
      text += (text.empty() ? "" : " ") + word;
    throw std::runtime_error("'" + text + "' ended with " + std::to_string(code) +
                             " (are iproute2 and util-linux installed?)");
  }
}

void host_network::join(std::size_t host) const {
  const auto port = "port" + std::to_string(host);
  run(on_switch(), {"ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "address",
                    link_address(host), "netns", std::to_string(hosts_[host])});
  run(on_switch(), {"ip", "link", "set", port, "master", "bridge", "up"});
  run(on_host(host), {"ip", "link", "set", "lo", "up"});
  run(on_host(host), {"ip", "address", "add", address(host) + "/24", "dev", "eth0"});
  run(on_host(host), {"ip", "link", "set", "dev", "eth0", "up"});
}

void host_network::introduce(std::size_t host) const {
  std::string commands = "set -e";
  for (std::size_t other = 0; other < hosts_.size(); ++other)
    if (other != host)
      commands += "; ip neighbour add " + address(other) + " lladdr " + link_address(other) +
                  " dev eth0 nud permanent";
  run(on_host(host), {"sh", "-c", commands});
}

void host_network::set(const std::string& port, const std::vector<std::string>& to) const {
  std::vector<std::string> words{"ip", "link", "set", port};
  words.insert(words.end(), to.begin(), to.end());
  run(on_switch(), words);
}

void host_network::isolate(std::size_t a, std::size_t b, const std::string& how) const {
  for (const auto host : {a, b})
    set("port" + std::to_string(host), {"type", "bridge_slave", "isolated", how});
}

} // namespace troupe::trials
