#pragma once

#include "actors/common/unheard.hpp"
#include "actors/protocol/messages.hpp"

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// The counts of the actor of a plugin, if a member of the cluster stands in front of it.
class plugin_counts {
public:
  /// Adds the counts of the plugin since the last time.
  void add(scheduler_status status) {
    for (const auto& g : status.samples)
      given_up_[g.group] += g.sample.tasks.abandoned;
    if (counted_)
      follow(*counted_, status);
    else
      counted_ = std::move(status);
  }

  /// Returns all of it since the last call.
  std::vector<group_sample> take() {
    auto counted = std::exchange(counted_, std::nullopt);
    return counted ? std::move(counted->samples) : std::vector<group_sample>{};
  }

  /// By group: tasks that the plugin alone knows to be given up.
  std::uint64_t& given_up(std::uint32_t group) { return given_up_[group]; }

  /// Returns whether the plugin has sent nothing since the last call.
  bool is_still(std::uint64_t sent) { return std::exchange(sent_, sent) == sent; }

private:
  std::optional<scheduler_status> counted_;
  std::map<std::uint32_t, std::uint64_t> given_up_;
  std::uint64_t sent_ = 0;
};

/// Asks the plugin of a member for its counts. They are given to `note`, with whether the plugin
/// has been told nothing since; then `then` is called, or `otherwise` with an error.
template <class Self, class Note, class Then>
void ask_for_counts(Self self, Note note, Then then, std::function<void(caf::error&)> otherwise) {
  self->request(self->state.config.plugin, caf::infinite, sample_atom_v)
    .then(
      [self, note, then, told = self->state.core->told()](scheduler_status& status) mutable {
        note(self, std::move(status), told == self->state.core->told());
        then();
      },
      std::move(otherwise));
}

/// Answers a question for the member's counts, which `make` returns, once the plugin has counted.
template <class Self, class Note, class Make>
caf::typed_response_promise<scheduler_status> answer_with_counts(Self self, Note note, Make make) {
  auto answer = self->template make_response_promise<scheduler_status>();
  ask_for_counts(
    self, note, [answer, make]() mutable { answer.deliver(make()); },
    [answer](caf::error& e) mutable { answer.deliver(e); });
  return answer;
}

/// Has the member end with the plugin's actor, which is a fault, and the plugin's actor and the
/// `others` with the member.
template <class Self>
void end_together(Self self, std::vector<caf::strong_actor_ptr> others) {
  self->set_down_handler([self](caf::down_msg& down) {
    auto& state = self->state;
    if (down.source != state.config.plugin.address())
      return;
    state.config.check->ended(self->system().render(down.reason));
    self->quit(down.reason);
  });
  self->monitor(self->state.config.plugin);
  others.push_back(caf::actor_cast<caf::strong_actor_ptr>(self->state.config.plugin));
  // CAF keeps a killed actor from handling anything: this runs however the member ends.
  self->attach_functor([others = std::move(others)](const caf::error&) {
    for (const auto& other : others)
      caf::anon_send_exit(other, caf::exit_reason::kill);
  });
}

} // namespace troupe
