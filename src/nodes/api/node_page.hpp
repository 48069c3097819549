#pragma once

#include "nodes/api/cluster_page.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace troupe {

/// Serves the page of the cluster from inside a node with the role api, in separate threads: one
/// for readers, and one that asks the node's gateway for news.
class node_page {
public:
  /// Begins to serve. `node` is the name of the node, for its log; `mount`, which may be empty,
  /// adds further routes. Throws as `web_server`.
  node_page(caf::actor_system& system, caf::actor way, const web_options& where, std::string node,
            std::function<void(route_table&)> mount);
  node_page(const node_page&) = delete;
  node_page& operator=(const node_page&) = delete;

  /// Waits for a pending answer; none is pending once the gateway has ended.
  ~node_page();

  std::string url() const { return page_.url(); }

  /// Asks no further questions.
  void stop();

private:
  void look_on();
  void wake();

  std::mutex mutex_;
  std::condition_variable stops_;
  bool stop_ = false;  // guarded by mutex_
  bool asked_ = false; // likewise: somebody asks for a task
  cluster_page page_;
  std::thread thread_;
};

} // namespace troupe
