#pragma once

#include "actors/common/light_actor.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/make_actor.hpp>
#include <caf/replies_to.hpp>
#include <caf/type_erased_tuple.hpp>
#include <caf/type_nr.hpp>
#include <caf/typed_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace troupe {

/// Several functions as one, which takes what any of them takes.
template <class... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};

template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

/// Calls `reactions` with the values of `message` if it consists of values of these types. Returns
/// whether it does.
template <class... Values, class Reactions>
bool react_to(caf::detail::type_list<Values...>, const caf::type_erased_tuple& message,
              std::uint32_t token, Reactions& reactions) {
  if (token != caf::make_type_token<Values...>() || !message.match_elements<Values...>())
    return false;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_assert(std::is_void_v<decltype(reactions(message.get_as<Values>(I)...))>,
                  "a light actor does not answer");
    reactions(message.get_as<Values>(I)...);
  }
  (std::index_sequence_for<Values...>{});
  return true;
}

/// Calls `reactions` with the values of `message`, if it is one of the interface that consists of
/// messages of these types. Returns whether it is.
template <class... Messages, class Reactions>
bool dispatch(caf::detail::type_list<caf::typed_mpi<Messages, caf::output_tuple<void>>...>,
              const caf::type_erased_tuple& message, Reactions reactions) {
  const auto token = message.type_token();
  return (react_to(Messages{}, message, token, reactions) || ...);
}

/// Spawns a light actor with the interface of `Handle`, whose messages `Reactions(self)` handles
/// after `Begin(self)`.
template <class Handle, class State, auto Reactions, class Begin>
Handle spawn_light(caf::actor_system& system, handling how, Begin begin) {
  class actor final : public light_actor_of<State> {
  public:
    actor(caf::actor_config& cfg, handling when) : light_actor_of<State>(cfg, when) {}

    const char* name() const final { return State::name; }

  protected:
    bool react(const caf::type_erased_tuple& message) final {
      return dispatch(typename Handle::signatures{}, message, Reactions(this));
    }
  };
  caf::actor_config cfg{system.dummy_execution_unit()};
  auto handle = caf::make_actor<actor, caf::strong_actor_ptr>(system.next_actor_id(), system.node(),
                                                              &system, cfg, how);
  auto* const self = static_cast<actor*>(handle->get());
  begin(self);
  self->launch();
  return caf::actor_cast<Handle>(handle);
}

} // namespace troupe
