#include "actors/fields.hpp"
#include "actors/neighbours.hpp"
#include "support/each_message.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

using namespace troupe;
using namespace troupe::test;

namespace {

struct serialization_fixture {
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

} // namespace

TEST_CASE_FIXTURE(serialization_fixture, "every message type survives the wire unchanged") {
  const auto structs =
    for_each_message<caf::id_block::troupe>([this]<class T>() { round_trip<T>(); });
  CHECK(structs >= 19);
}

TEST_CASE_FIXTURE(serialization_fixture, "one of several values that there is not is refused") {
  queue_order sent{cancellation{1, 2}};
  auto bytes = write(sent);
  queue_order got;
  CHECK_FALSE(read(bytes, got));
  REQUIRE(std::holds_alternative<cancellation>(got));
  CHECK(std::get<cancellation>(got).job == 2);
  bytes[0] = static_cast<char>(std::variant_size_v<queue_order>);
  CHECK(read(bytes, got));
}
