#include "nodes/execution/work_place.hpp"
#include "process/command/process_tree.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <optional>

using namespace troupe;
using namespace troupe::test;

namespace {

const attempt_key a{1, 0, 1};

/// Looks until an attempt has ended, and returns its end.
attempt_end end_of(running_attempts& attempts, const attempt_key& which) {
  attempt_end found;
  REQUIRE(soon([&] {
    attempts.look();
    attempts.look_at_all();
    for (const auto& e : attempts.unseen())
      if (e.which == which) {
        found = e;
        return true;
      }
    return false;
  }));
  return found;
}

} // namespace

TEST_CASE("an attempt runs, and its end is told until it is seen") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  attempts.start(work_place::shell(a, "echo hello; exit 4"), boot_clock_ns());
  CHECK(attempts.knows(a));
  const auto end = end_of(attempts, a);
  CHECK(end.reason == end_reason::none);
  CHECK(end.exit_code == 4);
  CHECK(end.out_bytes == 6);
  CHECK(attempts.take_ended() == std::vector<running_attempts::ended>{{a, false}});
  CHECK(attempts.take_ended().empty());
  CHECK(attempts.running().empty());
  CHECK(attempts.unseen().size() == 1);
  attempts.seen(a);
  CHECK(attempts.unseen().empty());
  CHECK_FALSE(attempts.knows(a));
  CHECK(folders.open_ones().empty());
}

TEST_CASE("an attempt that cannot start ends at once") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  auto spec = work_place::shell(a, "");
  spec.argv = {"no-such-program"};
  attempts.start(spec, boot_clock_ns());
  CHECK(end_of(attempts, a).reason == end_reason::exec_failed);
}

TEST_CASE("an attempt whose folder cannot be made is started once it can") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  const auto away = here.path() / "away";
  std::filesystem::rename(folders.path(), away);
  attempts.start(work_place::shell(a, "exit 3"), boot_clock_ns());
  attempts.look_at_all();
  CHECK(attempts.running() == std::vector{a});
  CHECK(attempts.unseen().empty());
  std::filesystem::rename(away, folders.path());
  attempts.look_at_all();
  CHECK(end_of(attempts, a).exit_code == 3);
}

TEST_CASE(
  "an attempt whose folder cannot be made goes back after a while, or when it is cancelled") {
  const work_place here;
  const auto folders = here.folders();
  auto rules = work_place::rules();
  running_attempts patient{folders, rules};
  rules.room_patience_ms = 0;
  running_attempts hasty{folders, rules};
  const auto away = here.path() / "away";
  std::filesystem::rename(folders.path(), away);
  hasty.start(work_place::shell(a, "exit 3"), boot_clock_ns());
  REQUIRE(hasty.unseen().size() == 1);
  CHECK(hasty.unseen()[0].reason == end_reason::host_failed);
  CHECK(hasty.unseen()[0].detail.find("No such file or directory") != std::string::npos);
  patient.start(work_place::shell(a, "exit 3"), boot_clock_ns());
  patient.stop(a, end_reason::cancelled, 0);
  REQUIRE(patient.unseen().size() == 1);
  CHECK(patient.unseen()[0].reason == end_reason::cancelled);
  std::filesystem::rename(away, folders.path());
  patient.look_at_all();
  CHECK(folders.open_ones().empty());
}

TEST_CASE("an attempt whose supervisor never begins was not started by its host") {
  const work_place here;
  const auto folders = here.folders();
  auto rules = work_place::rules();
  rules.supervise = {"/bin/sh", "-c", "exec cat <&3"}; // takes all requests, and does nothing
  running_attempts patient{folders, rules};
  patient.start(work_place::shell(a, "exit 3"), boot_clock_ns());
  patient.look_at_all();
  CHECK(patient.running() == std::vector{a});
  rules.supervisor_patience_ms = 0;
  running_attempts hasty{folders, rules}; // adopts it
  const auto end = end_of(hasty, a);
  CHECK(end.reason == end_reason::host_failed);
  CHECK(end.detail.starts_with("no supervisor began within 0 s; the host may be very busy, or its "
                               "table of processes full: see "));
  CHECK(end.started_ns == 0);
  hasty.renew(a, boot_clock_ns());
  CHECK(folders.of(a).page().deadline() == 0); // a supervisor that comes late does not start it
}

TEST_CASE("leases are those that the job service has given") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  auto spec = work_place::shell(a, "exec sleep 1000");
  spec.lease_ms = 10'000;
  attempts.start(spec, 1'000);
  CHECK(folders.of(a).page().deadline() == 1'000 + 9'000'000'000);
  attempts.renew(a, 5'000);
  CHECK(folders.of(a).page().deadline() == 5'000 + 9'000'000'000);
  const attempt_key b{1, 1, 1};
  auto forever = work_place::shell(b, "exec sleep 1000");
  forever.lease_ms = 0;
  attempts.start(forever, 1'000);
  CHECK(folders.of(b).page().deadline() == attempt_page::forever);
  attempts.stop(b, end_reason::cancelled, 0);
  CHECK(end_of(attempts, b).reason == end_reason::cancelled);
  // The deadlines above are long over for a host that runs for more than ten seconds.
  CHECK(end_of(attempts, a).reason == end_reason::lease);
}

TEST_CASE("an attempt that is to stop and does not run here has ended") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  attempts.stop(a, end_reason::cancelled, 100);
  CHECK(attempts.running().empty());
  const auto end = end_of(attempts, a);
  CHECK(end.reason == end_reason::cancelled);
  CHECK(end.started_ns == 0);
  attempts.seen(a);
  CHECK(attempts.unseen().empty());
}

TEST_CASE("an attempt that is asked for goes on if it is known, and is over if not") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  const attempt_key unknown{1, 1, 1};
  const attempt_key seen{1, 2, 1};
  attempts.start(work_place::shell(a, "while ! test -e ../../../go; do sleep 0.01; done; exit 5"),
                 boot_clock_ns());
  attempts.start(work_place::shell(seen, "exit 0"), boot_clock_ns());
  end_of(attempts, seen);
  attempts.stop(seen, end_reason::host_failed, 0);
  CHECK(end_of(attempts, seen).reason == end_reason::none);
  attempts.seen(seen);
  for (const auto& which : {a, unknown, seen})
    attempts.stop(which, end_reason::host_failed, 0);
  CHECK(attempts.running() == std::vector{a});
  CHECK_FALSE(folders.of(a).page().stop_asked());
  CHECK(end_of(attempts, unknown).reason == end_reason::host_failed);
  CHECK(end_of(attempts, unknown).detail == "its node never heard of it");
  CHECK(end_of(attempts, seen).reason == end_reason::supervisor_lost);
  // Its grant comes too late.
  attempts.start(work_place::shell(unknown, "exit 0"), boot_clock_ns());
  CHECK(attempts.running() == std::vector{a});
  std::ofstream{here.path() / "go"} << "x";
  CHECK(end_of(attempts, a).exit_code == 5);
}

TEST_CASE("a node that is started again adopts what still runs, and tells what has ended") {
  const work_place here;
  const auto folders = here.folders();
  const attempt_key b{1, 1, 1};
  const attempt_key half{1, 2, 1};
  {
    running_attempts before{folders, work_place::rules()};
    auto waits = work_place::shell(a, "while ! test -e ../../../go; do sleep 0.01; done; exit 5");
    waits.cpu = 1.5;
    waits.memory_bytes = (64 << 20) - 1;
    waits.gpu_milli = 250;
    waits.slots = 3;
    before.start(waits, boot_clock_ns());
    before.start(work_place::shell(b, "exit 6"), boot_clock_ns());
    end_of(before, b);
    CHECK(before.adopted_use().is_zero()); // its machine counts these
    REQUIRE(soon([&] { return folders.of(a).page().at() == attempt_page::phase::running; }));
  }
  std::filesystem::create_directory(folders.of(half).path()); // the node was killed in the middle
  running_attempts after{folders, work_place::rules()};
  CHECK(after.running() == std::vector{a});
  CHECK(after.adopted_use()[resource::cpu] == 1500);
  CHECK(after.adopted_use()[resource::memory] == 64); // as its machine counts it
  CHECK(after.adopted_use()[resource::gpu] == 250);
  CHECK(after.adopted_use()[resource::slots] == 3);
  CHECK(end_of(after, b).exit_code == 6);
  CHECK(end_of(after, half).reason == end_reason::supervisor_lost);
  after.start(work_place::shell(a, "echo again"), boot_clock_ns()); // it runs already
  std::ofstream{here.path() / "go"} << "x";
  CHECK(end_of(after, a).exit_code == 5);
  CHECK(after.adopted_use().is_zero());
}

TEST_CASE("what a program of another version has started counts as running while it goes on") {
  const work_place here;
  const auto folders = here.folders();
  std::filesystem::create_directory(folders.of(a).path());
  std::ofstream{folders.of(a).state()} << std::string(4096, 'x');
  std::optional<unique_fd> supervisor{open(folders.of(a).state().c_str(), O_RDWR | O_CLOEXEC)};
  struct flock lock {};
  lock.l_type = F_WRLCK;
  REQUIRE(fcntl(supervisor->get(), F_OFD_SETLK, &lock) == 0);
  running_attempts attempts{folders, work_place::rules()};
  attempts.renew(a, boot_clock_ns());
  attempts.stop(a, end_reason::cancelled, 0);
  attempts.look_at_all();
  CHECK(attempts.running() == std::vector{a});
  supervisor.reset();
  attempts.look_at_all();
  CHECK(end_of(attempts, a).reason == end_reason::supervisor_lost);
}

TEST_CASE("the outcome of a command whose supervisor was killed is not known") {
  const work_place here;
  const auto folders = here.folders();
  running_attempts attempts{folders, work_place::rules()};
  attempts.start(work_place::shell(a, "echo $PPID > ../../../parent; exec sleep 1000"),
                 boot_clock_ns());
  pid_t supervisor = 0;
  REQUIRE(soon([&] {
    std::ifstream in{here.path() / "parent"};
    return static_cast<bool>(in >> supervisor);
  }));
  kill(supervisor, SIGKILL);
  const auto end = end_of(attempts, a);
  CHECK(end.reason == end_reason::supervisor_lost);
  CHECK(end.exit_code == -1);
}

TEST_CASE("an attempt whose supervisor was killed is over once none of its processes is left") {
  const work_place here;
  const auto folders = here.folders();
  std::optional<running_attempts> attempts{std::in_place, folders, work_place::rules()};
  attempts->start(work_place::shell(a, "echo $PPID > ../../../parent; sleep 1000 & "
                                       "echo $! > ../../../child; wait"),
                  boot_clock_ns());
  pid_t supervisor = 0;
  pid_t child = 0;
  REQUIRE(soon([&] {
    return std::ifstream{here.path() / "parent"} >> supervisor &&
           std::ifstream{here.path() / "child"} >> child;
  }));
  const auto lives = [](pid_t pid) {
    const auto process = look_at_process(pid);
    return process && process->is_alive;
  };
  REQUIRE(soon([&] { return folders.of(a).page().at() == attempt_page::phase::running; }));
  // The server of supervisors kills orphans. It ends with its node, so that none is left to do that
  // here.
  attempts.reset();
  attempts.emplace(folders, work_place::rules());
  CHECK(attempts->running() == std::vector{a});
  kill(supervisor, SIGKILL);
  CHECK(end_of(*attempts, a).reason == end_reason::supervisor_lost);
  CHECK_FALSE(lives(child));
  if (lives(child))
    kill(child, SIGKILL);
}

TEST_CASE("what ran before the host was started anew is lost") {
  const work_place here;
  const auto folders = here.folders();
  command_spec spec;
  spec.argv = {"true"};
  folders.of(a).create(spec, attempt_page::forever);
  {
    // The identity of the start of the host stands behind the name of the format.
    std::fstream page{folders.of(a).path() / "state"};
    page.seekp(8);
    page << "another";
  }
  running_attempts attempts{folders, work_place::rules()};
  CHECK(end_of(attempts, a).reason == end_reason::reboot);
}
