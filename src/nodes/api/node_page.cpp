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
                     std::string node, std::function<void(route_table&)> mount)
  : page_(
      [&] {
        auto host = host_in(system, std::move(way), std::move(node));
        host.wake = [this] { wake(); };
        host.mount = std::move(mount);
        return host;
      }(),
      where),
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

void node_page::wake() {
  const std::lock_guard lock{mutex_};
  asked_ = true;
  stops_.notify_all();
}

void node_page::look_on() {
  auto next = std::chrono::steady_clock::now();
  std::unique_lock lock{mutex_};
  while (!stop_) {
    asked_ = false;
    lock.unlock();
    page_.answer();
    if (const auto now = std::chrono::steady_clock::now(); now >= next) {
      next = now + look_interval;
      page_.look();
    }
    lock.lock();
    stops_.wait_until(lock, next, [this] { return stop_ || asked_; });
  }
}

} // namespace troupe
