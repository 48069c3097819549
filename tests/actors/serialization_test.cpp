#include "actors/fields.hpp"
#include "actors/neighbours.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

#include <utility>

using namespace troupe;
using namespace troupe::test;

namespace {

struct fixture {
  scheduler_inbox unused;
  world w;
  filler fill{pointer(w.system().spawn(fake_scheduler, &unused))};

  std::vector<char> write(const auto& x) {
    std::vector<char> bytes;
    caf::binary_serializer sink{w.system(), bytes};
    CHECK_FALSE(sink(x));
    return bytes;
  }

  template <class T>
  caf::error read(const std::vector<char>& bytes, T& x) {
    caf::binary_deserializer source{w.system(), bytes};
    return source(x);
  }

  template <class T>
  void round_trip() {
    CAPTURE(caf::type_name<T>::value);
    for (int i = 0; i < 20; ++i) {
      T sent{};
      fill(sent);
      const auto bytes = write(sent);
      T got{};
      CHECK(is_default(got));
      CHECK_FALSE(read(bytes, got));
      CHECK(same(sent, got));
      CHECK_FALSE(same(sent, T{}));
      CHECK(write(got) == bytes);
      // A message that breaks off is refused.
      T broken{};
      CHECK(read({bytes.begin(), bytes.end() - 1}, broken));
    }
  }

  template <class T>
  bool is_default(const T& x) {
    return same(x, T{});
  }
};

constexpr auto first_id = caf::id_block::troupe::begin;
constexpr auto ids = caf::id_block::troupe::end - first_id;

} // namespace

TEST_CASE_FIXTURE(fixture, "every message type survives the wire unchanged") {
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
  CHECK(structs >= 19);
}
