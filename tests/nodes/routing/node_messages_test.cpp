#include "actors/fields.hpp"
#include "nodes/fixture.hpp"
#include "nodes/registry/identity_text.hpp"
#include "support/each_message.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <doctest/doctest.h>

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

} // namespace

TEST_CASE_FIXTURE(wire, "every message between nodes survives the wire unchanged") {
  const auto structs =
    for_each_message<caf::id_block::troupe_nodes>([this]<class T>() { round_trip<T>(); });
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
