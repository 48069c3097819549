#pragma once

#include "nodes/routing/message_router.hpp"

#include <boost/container/flat_map.hpp>

#include <memory>
#include <tuple>
#include <vector>

namespace troupe {

/// Finds the handles of other members for one member, through the message router, and caches them.
/// A machine has the same handle in all of its incarnations, until another machine takes its place
/// in a cluster that grows; an incarnation of another member never moves. For one thread at a time.
class handle_cache {
public:
  handle_cache(std::shared_ptr<message_router> mail, const address& own)
    : mail_(std::move(mail)), own_(own) {}

  /// A `reach_function`.
  caf::strong_actor_ptr find(role what, std::uint32_t number, incarnation_id incarnation) {
    const address whom{party::member, what, number, incarnation};
    if (what == role::machine)
      return machine(whom);
    if (incarnation == 0) // the latest incarnation, which may change
      return mail_->find(own_, whom);
    auto& known = others_[{what, number, incarnation}];
    if (!known)
      known = mail_->find(own_, whom);
    return known;
  }

private:
  caf::strong_actor_ptr machine(const address& whom) {
    if (const auto moves = mail_->machine_moves(); moves != moves_) {
      moves_ = moves;
      machines_.clear();
    }
    if (machines_.size() <= whom.number)
      machines_.resize(whom.number + 1);
    auto& known = machines_[whom.number];
    if (!known)
      known = mail_->find(own_, whom);
    return known;
  }

  std::shared_ptr<message_router> mail_;
  address own_;
  std::vector<caf::strong_actor_ptr> machines_;
  std::uint64_t moves_ = 0; ///< of machines, when these were found
  boost::container::flat_map<std::tuple<role, std::uint32_t, incarnation_id>, caf::strong_actor_ptr>
    others_; ///< few, and looked up for each message
};

} // namespace troupe
