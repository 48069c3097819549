#pragma once

#include "nodes/connections/introduction.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace troupe {

/// The verified introduction of the other side of a connection.
using verified_peer = std::shared_ptr<const introduction>;

/// The peers of this process's connections. May be used by any thread.
class peer_register {
public:
  /// Registers a connection, which keeps the result until its end. Returns null if there is a
  /// connection to another process with the same instance id: messages of the two could not be
  /// distinguished.
  verified_peer add(const introduction& peer) {
    const std::lock_guard lock{mutex_};
    std::erase_if(peers_, [](const auto& known) { return known.second.expired(); });
    auto& known = peers_[peer.instance];
    auto found = known.lock();
    if (found)
      return *found == peer ? found : nullptr;
    found = std::make_shared<const introduction>(peer);
    known = found;
    return found;
  }

  /// Returns the peer with that instance id; null if there is none.
  verified_peer find(const std::string& instance) const {
    const std::lock_guard lock{mutex_};
    const auto it = peers_.find(instance);
    return it == peers_.end() ? nullptr : it->second.lock();
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const introduction>> peers_;
};

} // namespace troupe
