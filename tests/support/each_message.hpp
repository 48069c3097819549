#pragma once

#include <caf/type_id.hpp>

#include <utility>

namespace troupe::test {

/// Calls `visit.template operator()<T>()` for each struct T among the types of a block of CAF's
/// type ids, such as `caf::id_block::troupe`; returns their number.
template <class Block, class Visit>
int for_each_message(Visit visit) {
  constexpr auto first = Block::begin;
  int structs = 0;
  const auto one = [&]<std::size_t N>() {
    using type = typename caf::type_by_id<static_cast<caf::type_id_t>(first + N)>::type;
    if constexpr (!caf::is_atom_constant<type>::value) {
      visit.template operator()<type>();
      ++structs;
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (one.template operator()<I>(), ...);
  }
  (std::make_index_sequence<Block::end - first>{});
  return structs;
}

} // namespace troupe::test
