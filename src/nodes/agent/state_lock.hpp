#pragma once

#include "nodes/agent/run_node.hpp"

#include <filesystem>

namespace troupe {

/// Keeps other processes out of the state of a node: two nodes with one state would each take the
/// commands of the other one for their own.
class state_lock {
public:
  /// Waits while another process has the state, and tells the monitor so. Holds nothing if the
  /// monitor asks for the end meanwhile. Throws `std::runtime_error` if the file of the lock cannot
  /// be written.
  state_lock(const std::filesystem::path& state, node_monitor& monitor);
  ~state_lock();

  state_lock(const state_lock&) = delete;
  state_lock& operator=(const state_lock&) = delete;

  bool held() const { return held_; }

private:
  int fd_ = -1;
  bool held_ = false;
};

} // namespace troupe
