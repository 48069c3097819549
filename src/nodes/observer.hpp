#pragma once

#include "nodes/node_messages.hpp"
#include "nodes/run_node.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

/// How a client reaches a cluster that it is no node of.
struct observer_options {
  host_port at;                             ///< where the master's node listens
  std::optional<tls_files> credentials;     ///< as of a node; none: for a node that has none either
  std::chrono::milliseconds patience{5000}; ///< how long each step may take
};

/// A client's line to the master's node. All functions throw `std::runtime_error` with a message
/// for the user that says who was asked and why that did not work. None waits for longer than some
/// times the patience: an answer may never come, and CAF does not say so.
class observer {
public:
  /// Connects. Throws `security_error` if the credentials cannot be used.
  explicit observer(const observer_options& options);
  ~observer();

  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;

  cluster_report status();

  /// Has a node emptied, which goes on after this has returned.
  void drain(const std::string& node);

private:
  class line;
  std::unique_ptr<line> line_;
};

} // namespace troupe
