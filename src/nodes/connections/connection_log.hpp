#pragma once

#include "model/base/log.hpp"
#include "nodes/registry/refusal_log.hpp"

#include <string>
#include <utility>

namespace troupe {

/// Writes at most one line to the log about a connection that ends badly.
class connection_log {
public:
  /// `node`: the node whose log it is; empty: no log. `peer`: the address of the other side.
  connection_log(std::string node, std::string peer)
    : node_(std::move(node)), peer_(std::move(peer)) {}

  const std::string& peer() const { return peer_; }

  /// Writes the line, unless one was written already. `kind` is as for `log_refusal`.
  void write(log::level level, const char* kind, const std::string& text) {
    if (!std::exchange(written_, true) && !node_.empty())
      log_refusal(level, kind, node_, text);
  }

  /// Suppresses the line: later failures are expected.
  void close() { written_ = true; }

private:
  std::string node_;
  std::string peer_;
  bool written_ = false;
};

} // namespace troupe
