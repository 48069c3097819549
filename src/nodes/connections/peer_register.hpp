#pragma once

#include "nodes/connections/introduction.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace troupe {

/// Who is at the other end of a connection, as verified.
using verified_peer = std::shared_ptr<const introduction>;

/// The peers that this process has connections to. May be used by any thread.
class peer_register {
public:
  /// A connection begins, which keeps what is returned until its end. Returns null if there is a
  /// connection to another process with the same instance's id: the messages of the two could not
  /// be told apart.
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

  /// Returns who has a connection with that instance's id; null: nobody.
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
