#pragma once

#include "nodes/refusal_log.hpp"

#include <string>
#include <utility>

namespace troupe {

/// Writes one line at most about a connection that ends badly.
class connection_log {
public:
  /// `node`: in whose log; empty: nowhere. `peer`: the address of the other side.
  connection_log(std::string node, std::string peer)
    : node_(std::move(node)), peer_(std::move(peer)) {}

  const std::string& peer() const { return peer_; }

  /// Writes the line, unless there is one already. `kind` is as of `log_refusal`.
  void write(spdlog::level::level_enum level, const char* kind, const std::string& text) {
    if (!std::exchange(written_, true) && !node_.empty())
      log_refusal(level, kind, node_, text);
  }

  /// What follows is of no interest.
  void close() { written_ = true; }

private:
  std::string node_;
  std::string peer_;
  bool written_ = false;
};

} // namespace troupe
