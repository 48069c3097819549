#pragma once

#include "actors/common/light_actor.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/atom.hpp>
#include <caf/make_actor.hpp>
#include <caf/replies_to.hpp>
#include <caf/rtti_pair.hpp>
#include <caf/type_erased_tuple.hpp>
#include <caf/type_nr.hpp>
#include <caf/typed_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace troupe {

/// Several functions as one, which accepts the arguments of each of them.
template <class... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};

template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

/// Whether `message` consists of values of these types.
template <class... Values>
bool consists_of(caf::detail::type_list<Values...>, const caf::type_erased_tuple& message,
                 std::uint32_t token) {
  return token == caf::make_type_token<Values...>() && message.match_elements<Values...>();
}

/// Whether `message` consists of values of these types, by the addresses of the types. `first` is
/// the address of the type of its first value. A type that several libraries define may have
/// several addresses.
template <class First, class... Others>
bool is_made_of(caf::detail::type_list<First, Others...> values,
                const caf::type_erased_tuple& message, std::size_t size,
                const caf::rtti_pair& first, std::uint32_t token) {
  constexpr auto one_value = sizeof...(Others) == 0 && !caf::is_atom_constant<First>::value;
  return size == 1 + sizeof...(Others) && first == caf::make_rtti_pair<First>() &&
         (one_value || consists_of(values, message, token)); // all atoms have one type
}

/// Calls `reactions` with the values of `message`, which are of these types.
template <class... Values, class Reactions>
void react_to(caf::detail::type_list<Values...>, const caf::type_erased_tuple& message,
              Reactions& reactions) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_assert(std::is_void_v<decltype(reactions(message.get_as<Values>(I)...))>,
                  "a light actor does not answer");
    reactions(message.get_as<Values>(I)...);
  }
  (std::index_sequence_for<Values...>{});
}

/// Calls `reactions` with the values of `message`, if it is one of the interface that consists of
/// messages of these types. Returns whether it is. Types are compared by address first, since most
/// messages are found so; to compare their names takes longer.
template <class... Messages, class Reactions>
bool dispatch(caf::detail::type_list<caf::typed_mpi<Messages, caf::output_tuple<void>>...>,
              const caf::type_erased_tuple& message, Reactions reactions) {
  const auto size = message.size();
  if (size == 0)
    return false;
  const auto token = message.type_token();
  const auto first = message.type(0);
  std::size_t at = 0;
  const auto found = [&](bool is_it) { return is_it || (++at, false); };
  if (!(found(is_made_of(Messages{}, message, size, first, token)) || ...)) {
    at = 0;
    if (!(found(consists_of(Messages{}, message, token)) || ...))
      return false;
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == at ? react_to(Messages{}, message, reactions) : void()), ...);
  }
  (std::index_sequence_for<Messages...>{});
  return true;
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
