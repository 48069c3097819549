#include "actors/fields.hpp"
#include "nodes/fixture.hpp"
#include "nodes/identity_text.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <doctest/doctest.h>

#include <utility>

using namespace troupe;
using namespace troupe::test;

namespace {

struct wire : local_system {
  filler fill{nullptr};

  template <class T>
  void round_trip() {
    CAPTURE(caf::type_name<T>::value);
    for (int i = 0; i < 20; ++i) {
      T sent{};
      fill(sent);
      std::vector<char> bytes;
      caf::binary_serializer sink{system, bytes};
      CHECK_FALSE(sink(sent));
      T got{};
      caf::binary_deserializer source{system, bytes};
      CHECK_FALSE(source(got));
      CHECK(source.remaining() == 0);
      CHECK(same(sent, got));
      CHECK_FALSE(same(sent, T{}));
      // A message that breaks off is refused.
      bytes.pop_back();
      T broken{};
      caf::binary_deserializer cut{system, bytes};
      CHECK(cut(broken));
    }
  }
};

constexpr auto first_id = caf::id_block::troupe_nodes::begin;
constexpr auto ids = caf::id_block::troupe_nodes::end - first_id;

} // namespace

TEST_CASE_FIXTURE(wire, "every message between nodes survives the wire unchanged") {
  int structs = 0;
  const auto each = [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto one = [&]<std::size_t N>() {
      using type = typename caf::type_by_id<static_cast<caf::type_id_t>(first_id + N)>::type;
      if constexpr (!caf::is_atom_constant<type>::value) {
        round_trip<type>();
        ++structs;
      }
    };
    (one.template operator()<I>(), ...);
  };
  each(std::make_index_sequence<ids>{});
  CHECK(structs >= 8);
}

TEST_CASE_FIXTURE(wire, "an identity is read from a greeting, and nonsense is not") {
  node_identity who;
  fill(who);
  const auto body = write_identity(system, who);
  const auto got = read_identity(system, body);
  REQUIRE(got);
  CHECK(same(*got, who));
  CHECK_FALSE(read_identity(system, body + "x"));
  CHECK_FALSE(read_identity(system, body.substr(1)));
  CHECK_FALSE(read_identity(system, ""));
}
