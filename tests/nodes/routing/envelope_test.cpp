#include "actors/fields.hpp"
#include "nodes/fixture.hpp"
#include "nodes/routing/envelope.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <utility>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const address machine_7{party::member, role::machine, 7, 3};
const address owner_2{party::member, role::owner, 2, 65};

machine_heartbeat beat() {
  machine_heartbeat b;
  b.machine = 7;
  b.incarnation = 3;
  b.owner_incarnation = 65;
  b.sent = 1500ms;
  b.orders_seen = 12;
  b.running.push_back({{5, 1}, 4, {1000, 2048}, 30s, 2, 0});
  return b;
}

/// Writes a message; fails the test if it does not travel.
template <class T>
std::string written(caf::actor_system& system, const address& to, const address& from,
                    std::uint64_t id, const T& value) {
  std::string bytes;
  const auto content = caf::make_message(value);
  REQUIRE(write_envelope(system, bytes, to, from, id, content.content()));
  return bytes;
}

} // namespace

TEST_CASE_FIXTURE(test::local_system, "an envelope is read as it was written") {
  const auto bytes = written(system, owner_2, machine_7, 42, beat());
  envelope_reader reader{system, bytes};
  const auto p = reader.next();
  REQUIRE(p);
  CHECK(p->to == owner_2);
  CHECK(p->from == machine_7);
  CHECK(p->id == 42);
  CHECK(std::string{envelope_shape_name(p->shape)} == "machine_heartbeat");
  REQUIRE(p->content.match_elements<machine_heartbeat>());
  const auto& b = p->content.get_as<machine_heartbeat>(0);
  CHECK(b.machine == 7);
  CHECK(b.sent == 1500ms);
  CHECK(b.orders_seen == 12);
  REQUIRE(b.running.size() == 1);
  CHECK(b.running[0].runtime == 30s);
  CHECK(b.running[0].demand == resources{1000, 2048});
  CHECK_FALSE(reader.next());
}

TEST_CASE_FIXTURE(test::local_system, "envelopes follow each other in their order") {
  auto bytes = written(system, owner_2, machine_7, 0, beat());
  bytes += written(system, machine_7, owner_2, 0, lease_reply{});
  bytes += written(system, {party::recorder, role::node, 1, 0}, owner_2, 7, sample_atom_v);
  envelope_reader reader{system, bytes};
  CHECK(reader.next()->content.match_elements<machine_heartbeat>());
  CHECK(reader.next()->content.match_elements<lease_reply>());
  const auto last = reader.next();
  REQUIRE(last);
  CHECK(last->content.match_elements<sample_atom>());
  CHECK(last->to.kind == party::recorder);
  CHECK_FALSE(reader.next());
}

TEST_CASE_FIXTURE(test::local_system, "a machine asks one of another node for work") {
  const auto ask = caf::make_message(steal_atom_v, machine_id{7});
  std::string bytes;
  REQUIRE(write_envelope(system, bytes, owner_2, machine_7, 0, ask.content()));
  envelope_reader reader{system, bytes};
  const auto p = reader.next();
  REQUIRE(p);
  CHECK(std::string{envelope_shape_name(p->shape)} == "steal");
  REQUIRE((p->content.match_elements<steal_atom, machine_id>()));
  CHECK(p->content.get_as<machine_id>(1) == 7);
  CHECK_FALSE(reader.next());
}

TEST_CASE_FIXTURE(test::local_system,
                  "a node tells the master of another one that a member has ended") {
  const auto tell = caf::make_message(gone_atom_v, member{role::scheduler, 3});
  std::string bytes;
  REQUIRE(write_envelope(system, bytes, owner_2, machine_7, 0, tell.content()));
  envelope_reader reader{system, bytes};
  const auto p = reader.next();
  REQUIRE(p);
  REQUIRE((p->content.match_elements<gone_atom, member>()));
  const auto& who = p->content.get_as<member>(1);
  CHECK(who.what == role::scheduler);
  CHECK(who.number == 3);
  CHECK_FALSE(reader.next());
}

TEST_CASE_FIXTURE(test::local_system, "a message that is for one node only does not travel") {
  std::string bytes = "before";
  const auto content = caf::make_message(std::string{"hello"});
  CHECK_FALSE(write_envelope(system, bytes, owner_2, machine_7, 0, content.content()));
  CHECK(bytes == "before");
}

TEST_CASE_FIXTURE(test::local_system, "every message between members of two nodes travels whole") {
  test::filler fill{nullptr};
  std::set<std::string> stay;
  std::size_t travel = 0;
  const auto look_at = [&]<class T>(T sent) {
    std::string name;
    if constexpr (!caf::is_atom_constant<T>::value) {
      fill(sent);
      name = std::string{caf::type_name<T>::value}.substr(std::string{"troupe::"}.size());
    }
    const auto content = caf::make_message(sent);
    std::string bytes;
    const auto shape = write_envelope(system, bytes, owner_2, machine_7, 42, content.content());
    if (!shape) {
      stay.insert(name);
      return;
    }
    ++travel;
    CAPTURE(name);
    if constexpr (!caf::is_atom_constant<T>::value)
      CHECK(envelope_shape_name(*shape) == name);
    envelope_reader reader{system, bytes};
    const auto p = reader.next();
    REQUIRE(p);
    REQUIRE(p->content.match_elements<T>());
    if constexpr (!caf::is_atom_constant<T>::value)
      CHECK(test::same(p->content.get_as<T>(0), sent));
    CHECK_FALSE(reader.next());
  };
  using block = caf::id_block::troupe;
  const auto look_at_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (look_at(typename caf::type_by_id<static_cast<caf::type_id_t>(block::begin + I)>::type{}), ...);
  };
  look_at_all(std::make_index_sequence<block::end - block::begin>{});
  look_at(sync_delta{});
  look_at(sample_atom_v);
  look_at(flush_atom_v);
  // And a request for work and the end of a member, which have an atom and a value.
  CHECK(travel + 2 == envelope_shapes());
  // A snapshot travels as what has changed of it; the others are for members of one node, or of a
  // cluster in which nothing fails.
  const std::set<std::string> others{
    "cancellation",     "capacity_heard", "capacity_notice", "capacity_update", "get_task_request",
    "machine_capacity", "member",         "peers",           "probe_answer",    "queue_entry",
    "queue_probe",      "submission",     "sync_update",     "task_assignment", "task_end",
    "task_ends",        "task_id",        "task_news",       "task_requests"};
  std::string unexpected;
  for (const auto& name : stay)
    if (!others.contains(name))
      unexpected += name + ' ';
  CHECK(unexpected == "");
  CHECK(stay.size() == others.size());
}

TEST_CASE_FIXTURE(test::local_system, "nonsense is refused, wherever it is cut or bent") {
  const auto good = written(system, owner_2, machine_7, 42, beat());
  for (std::size_t n = 1; n < good.size(); ++n) {
    const auto cut = good.substr(0, n);
    envelope_reader reader{system, cut};
    CHECK_THROWS_AS(reader.next(), std::runtime_error);
  }
  auto bent = good;
  bent[4] = static_cast<char>(envelope_shapes()); // a shape that there is not
  CHECK_THROWS_AS((envelope_reader{system, bent}.next()), std::runtime_error);
  bent = good;
  bent[5] = '\x7f'; // nobody that there is
  CHECK_THROWS_AS((envelope_reader{system, bent}.next()), std::runtime_error);
  bent = good;
  bent[0] = bent[1] = bent[2] = bent[3] = '\xff'; // more than there is
  CHECK_THROWS_AS((envelope_reader{system, bent}.next()), std::runtime_error);
  CHECK_THROWS_AS((envelope_reader{system, std::string(40, '\0')}.next()), std::runtime_error);
}

TEST_CASE_FIXTURE(test::local_system, "no flipped bit gets more than an error or a message") {
  const auto good = written(system, owner_2, machine_7, 42, beat());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size() * 8; ++i) {
    auto bent = good;
    bent[i / 8] = static_cast<char>(bent[i / 8] ^ (1 << (i % 8)));
    try {
      envelope_reader reader{system, bent};
      while (reader.next()) {
      }
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}
