#include "actors/common/light_actor.hpp"
#include "actors/common/spawn_light.hpp"
#include "actors/protocol/handles.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace troupe;
using namespace troupe::test;

namespace {

/// What an actor has handled, and what it does then.
struct diary {
  std::vector<std::uint64_t> rounds;
  std::function<void(std::uint64_t)> then;
  std::atomic<int> inside{0}; ///< how many threads handle a message
  bool overlapped = false;
};

struct diarist_state {
  static inline const char* name = "diarist";

  std::shared_ptr<diary> of;
};

using diarist_actor =
  caf::typed_actor<caf::reacts_to<sync_round>, caf::reacts_to<wake_atom>, caf::reacts_to<due_atom>,
                   caf::reacts_to<leave_atom, std::uint64_t>>;

auto reactions(light_actor_of<diarist_state>* self) {
  const auto write = [self](std::uint64_t number) {
    const auto of = self->state.of;
    of->overlapped = of->overlapped || of->inside++ != 0;
    of->rounds.push_back(number);
    if (of->then)
      of->then(number);
    --of->inside;
  };
  return overloaded{
    [write](const sync_round& round) { write(round.number); },
    [](wake_atom) { throw std::runtime_error("woken"); },
    [](due_atom) { throw 1; },
    [write](leave_atom, std::uint64_t number) { write(number); },
  };
}

diarist_actor spawn_diarist(caf::actor_system& system, handling how,
                            const std::shared_ptr<diary>& of) {
  return spawn_light<diarist_actor, diarist_state, reactions>(
    system, how, [&](auto* self) { self->state.of = of; });
}

/// Sends on the thread of an actor, as an actor's own `send` does.
caf::behavior sender(caf::event_based_actor* self, diarist_actor to) {
  return {[=](const sync_round& round) { self->send(to, round); }};
}

using numbers = std::vector<std::uint64_t>;

struct light_fixture {
  std::shared_ptr<diary> of = std::make_shared<diary>();
  virtual_time w;
  diarist_actor subject = spawn_diarist(w.system(), handling::queued, of);

  void tell(std::uint64_t number) { caf::anon_send(subject, sync_round{number}); }
  caf::strong_actor_ptr pointer() const { return caf::actor_cast<caf::strong_actor_ptr>(subject); }
  bool has_ended() const { return pointer()->get()->getf(caf::abstract_actor::is_cleaned_up_flag); }
};

} // namespace

TEST_CASE_FIXTURE(light_fixture, "a light actor handles messages in order, and when it is run") {
  tell(1);
  tell(2);
  CHECK(of->rounds.empty());
  w.settle();
  tell(3);
  caf::anon_send(subject, leave_atom_v, std::uint64_t{4});
  w.settle();
  CHECK(of->rounds == numbers{1, 2, 3, 4});
}

TEST_CASE_FIXTURE(light_fixture, "urgent messages overtake others, but not each other") {
  tell(1);
  caf::anon_send<caf::message_priority::high>(subject, sync_round{2});
  tell(3);
  caf::anon_send<caf::message_priority::high>(subject, sync_round{4});
  of->then = [this](std::uint64_t number) {
    if (number == 2)
      caf::anon_send<caf::message_priority::high>(subject, sync_round{5});
  };
  w.settle();
  CHECK(of->rounds == numbers{2, 4, 5, 1, 3});
}

TEST_CASE_FIXTURE(light_fixture, "a message that a light actor sends itself comes after the rest") {
  of->then = [this](std::uint64_t number) {
    if (number < 3)
      tell(number + 2);
  };
  tell(1);
  tell(2);
  w.settle();
  CHECK(of->rounds == numbers{1, 2, 3, 4});
}

TEST_CASE_FIXTURE(light_fixture, "an exit message ends a light actor and releases its state") {
  tell(1);
  caf::anon_send_exit(subject, caf::exit_reason::user_shutdown);
  tell(2);
  w.settle();
  CHECK(has_ended());
  CHECK(of->rounds == numbers{1});
  CHECK(of.use_count() == 1);
  tell(3);
  w.settle();
  CHECK(of->rounds == numbers{1});
}

TEST_CASE_FIXTURE(light_fixture, "those that monitor a light actor hear of its end") {
  std::vector<caf::error> heard;
  const auto watcher = w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(subject);
    self->set_down_handler([&](caf::down_msg& down) { heard.push_back(down.reason); });
    return {[](wake_atom) {}};
  });
  w.settle();
  caf::anon_send_exit(subject, caf::exit_reason::kill);
  w.settle();
  REQUIRE(heard.size() == 1);
  CHECK(heard[0] == caf::exit_reason::kill);
}

TEST_CASE_FIXTURE(light_fixture, "an exception ends a light actor, an unknown message does not") {
  caf::anon_send(caf::actor_cast<caf::actor>(subject), std::string{"hello"});
  tell(1);
  w.settle();
  CHECK(of->rounds == numbers{1});
  CHECK_FALSE(has_ended());
  SUBCASE("of the standard library") {
    caf::anon_send(subject, wake_atom_v);
  }
  SUBCASE("of another type") {
    caf::anon_send(subject, due_atom_v);
  }
  tell(2);
  w.settle();
  CHECK(has_ended());
  CHECK(of->rounds == numbers{1});
}

TEST_CASE_FIXTURE(light_fixture, "a light actor fails requests") {
  std::vector<caf::error> errors;
  const auto ask = [&](caf::event_based_actor* self) {
    self->request(caf::actor_cast<caf::actor>(subject), caf::infinite, std::string{"hello"})
      .then([] { FAIL("answered"); }, [&](caf::error& e) { errors.push_back(e); });
  };
  w.system().spawn(ask);
  w.settle();
  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == caf::sec::unexpected_message);
  w.coordinator().freeze(subject.id());
  caf::anon_send_exit(subject, caf::exit_reason::kill);
  w.system().spawn(ask); // waits behind the exit
  w.settle();
  CHECK(errors.size() == 1);
  w.coordinator().thaw(subject.id());
  w.settle();
  CHECK(errors.size() == 2);
  w.system().spawn(ask);
  w.settle();
  CHECK(errors.size() == 3);
}

TEST_CASE_FIXTURE(light_fixture, "a frozen light actor handles what has come once it is thawed") {
  w.settle();
  w.coordinator().freeze(subject.id());
  tell(1);
  tell(2);
  w.settle();
  CHECK(of->rounds.empty());
  w.coordinator().thaw(subject.id());
  w.settle();
  CHECK(of->rounds == numbers{1, 2});
}

TEST_CASE_FIXTURE(light_fixture, "the messages of a light actor are counted and traced") {
  w.settle();
  const auto before = w.coordinator().counters().messages;
  std::vector<std::string> trace;
  w.coordinator().trace(
    [&](const trace_entry& e) { trace.push_back(std::string{e.name} + " " + e.message); });
  tell(1);
  tell(2);
  w.settle();
  w.coordinator().trace({});
  CHECK(w.coordinator().counters().messages - before == 2);
  CHECK(trace == std::vector<std::string>{"diarist (sync_round(1))", "diarist (sync_round(2))"});
}

TEST_CASE("a light actor that holds itself is released with the system") {
  const auto of = std::make_shared<diary>();
  for (const bool frozen : {false, true}) {
    virtual_time w;
    auto subject = spawn_diarist(w.system(), handling::queued, of);
    of->then = [subject](std::uint64_t) {};
    if (frozen)
      w.coordinator().freeze(subject.id());
    caf::anon_send(subject, sync_round{1});
    if (frozen)
      w.settle();
  }
  of->then = {};
  CHECK(of.use_count() == 1);
}

// -- in real time -------------------------------------------------------------------------------

namespace {

struct pool_config : caf::actor_system_config {
  pool_config() { register_messages(*this); }
};

} // namespace

TEST_CASE("a light actor handles a message at once on the thread of an actor that sends it") {
  const auto of = std::make_shared<diary>();
  pool_config config;
  caf::actor_system system{config};
  std::thread::id handled_by;
  std::thread::id sent_by;
  of->then = [&](std::uint64_t) { handled_by = std::this_thread::get_id(); };
  const auto subject = spawn_diarist(system, handling::at_once, of);
  caf::scoped_actor self{system};
  const auto asks = system.spawn([&](caf::event_based_actor* me) -> caf::behavior {
    return {[&, me](const sync_round& round) {
      me->send(subject, round);
      sent_by = std::this_thread::get_id();
      return of->rounds.size(); // it has handled it already
    }};
  });
  self->request(asks, caf::infinite, sync_round{1})
    .receive([](std::size_t handled) { CHECK(handled == 1); }, [](caf::error&) { FAIL("error"); });
  CHECK(handled_by == sent_by);
  caf::anon_send_exit(asks, caf::exit_reason::kill);
  caf::anon_send_exit(subject, caf::exit_reason::kill);
}

TEST_CASE("a light actor handles one message at a time, and each sender's in order") {
  constexpr std::uint64_t senders = 4;
  constexpr std::uint64_t each = 2000;
  const auto of = std::make_shared<diary>();
  {
    pool_config config;
    caf::actor_system system{config};
    const auto subject = spawn_diarist(system, handling::at_once, of);
    std::vector<caf::actor> others;
    for (std::uint64_t s = 0; s < senders; ++s)
      others.push_back(system.spawn(sender, subject));
    std::vector<std::thread> threads; // these have none of CAF's threads
    for (std::uint64_t s = 0; s < senders; ++s)
      threads.emplace_back([&, s] {
        for (std::uint64_t i = 0; i < each; ++i) {
          caf::anon_send(others[s], sync_round{s * each + i});
          caf::anon_send(subject, leave_atom_v, (senders + s) * each + i);
        }
      });
    for (auto& t : threads)
      t.join();
    others.push_back(caf::actor_cast<caf::actor>(subject));
    for (const auto& o : others) { // not urgent, so behind all else
      caf::anon_send(o, caf::exit_msg{{}, caf::exit_reason::user_shutdown});
      caf::scoped_actor self{system};
      self->wait_for(o);
    }
  }
  CHECK_FALSE(of->overlapped);
  std::vector<std::uint64_t> seen(2 * senders, 0);
  bool in_order = true;
  for (const auto n : of->rounds) {
    in_order = in_order && n % each == seen[n / each]++;
  }
  CHECK(in_order);
  CHECK(of->rounds.size() == 2 * senders * each);
}
