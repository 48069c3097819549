#pragma once

#include "nodes/post.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace troupe {

/// How one member reaches others by the post. It remembers whom it has found: a machine is reached
/// by the same handle wherever its numbers are and in all of its lives, and one life of another
/// member never moves. For one thread at a time.
class acquaintances {
public:
  acquaintances(std::shared_ptr<post> mail, const address& own)
    : mail_(std::move(mail)), own_(own) {}

  /// As a `reach_function`.
  caf::strong_actor_ptr find(role what, std::uint32_t number, incarnation life) {
    const address whom{party::member, what, number, life};
    if (what == role::machine)
      return machine(whom);
    if (life == 0) // the latest one, whichever that is
      return mail_->find(own_, whom);
    auto& known = others_[{what, number, life}];
    if (!known)
      known = mail_->find(own_, whom);
    return known;
  }

private:
  caf::strong_actor_ptr machine(const address& whom) {
    if (machines_.size() <= whom.number)
      machines_.resize(whom.number + 1);
    auto& known = machines_[whom.number];
    if (!known)
      known = mail_->find(own_, whom);
    return known;
  }

  std::shared_ptr<post> mail_;
  address own_;
  std::vector<caf::strong_actor_ptr> machines_;
  std::map<std::tuple<role, std::uint32_t, incarnation>, caf::strong_actor_ptr> others_;
};

} // namespace troupe
