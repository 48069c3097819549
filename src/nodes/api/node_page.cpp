#include "nodes/api/node_page.hpp"

#include "model/base/log.hpp"
#include "nodes/api/own_gateway.hpp"

#include <chrono>
#include <utility>

namespace troupe {

namespace {

constexpr auto look_interval = std::chrono::seconds{1};

cluster_page_host host_in(caf::actor_system& system, caf::actor way, std::string node) {
  cluster_page_host host;
  host.connect = [&system, way = std::move(way)] {
    return std::make_unique<own_gateway>(system, way);
  };
  host.say = [node = std::move(node)](const std::string& what) {
    log::info("node {}: the live page: {}", node, what);
  };
  return host;
}

} // namespace

node_page::node_page(caf::actor_system& system, caf::actor way, const web_options& where,
                     std::string node)
  : page_(host_in(system, std::move(way), std::move(node)), where),
    thread_([this] { look_on(); }) {}

node_page::~node_page() {
  stop();
  thread_.join();
}

void node_page::stop() {
  const std::lock_guard lock{mutex_};
  stop_ = true;
  stops_.notify_all();
}

void node_page::look_on() {
  std::unique_lock lock{mutex_};
  while (!stop_) {
    const auto next = std::chrono::steady_clock::now() + look_interval;
    lock.unlock();
    page_.look();
    lock.lock();
    stops_.wait_until(lock, next, [this] { return stop_; });
  }
}

} // namespace troupe
