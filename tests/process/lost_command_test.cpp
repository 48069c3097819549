#include "process/attempt/lost_command.hpp"
#include "process/command/control_group.hpp"
#include "process/command/process_tree.hpp"
#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

namespace {

command_spec leaves_processes() {
  auto spec = supervised::shell("sh -c 'echo $$ > quiet; exec sleep 1000' > /dev/null 2>&1 & "
                                "setsid sh -c 'echo $$ > loud; exec sleep 1000' & exec sleep 1000");
  spec.env["TROUPE_TASK_ID"] = "1.0";
  return spec;
}

pid_t written_to(const supervised& here, const char* file) {
  pid_t pid = 0;
  REQUIRE(eventually(
    [&] { return static_cast<bool>(std::ifstream{here.folder("1").work() / file} >> pid); }));
  return pid;
}

/// Kills the supervisor of a command, and before it the process that would kill what it leaves.
void kill_supervisor(pid_t command) {
  const auto supervisor = supervised::parent_of(command);
  const auto server = supervised::parent_of(supervisor);
  kill(server, SIGKILL);
  REQUIRE(eventually([&] { return !is_alive(server); }));
  kill(supervisor, SIGKILL);
  REQUIRE(eventually([&] { return !is_alive(supervisor) && !is_alive(command); }));
}

} // namespace

TEST_CASE("what a command leaves whose supervisor was killed is found and killed") {
  supervised here;
  auto page = here.begin("1", leaves_processes());
  const auto quiet = written_to(here, "quiet");
  const auto loud = written_to(here, "loud");
  REQUIRE(eventually([&] { return page.at() == attempt_page::phase::running; }));
  CHECK(page.command_started() == look_at_process(page.command())->started);
  kill_supervisor(page.command());
  CHECK(is_alive(quiet));
  CHECK(is_alive(loud));
  CHECK(end_lost_command(lost_command_of(here.folder("1"), page)));
  CHECK_FALSE(is_alive(quiet));
  CHECK_FALSE(is_alive(loud));
}

TEST_CASE("what a command leaves in a control group is killed with the group") {
  const auto place = prepare_group_of_commands();
  if (!place) {
    MESSAGE("no control group may be made here: the case is skipped");
    return;
  }
  supervised here;
  auto spec = supervised::shell("setsid env -i sh -c 'echo $$ > quiet; exec sleep 1000' "
                                "> /dev/null 2>&1 & exec sleep 1000");
  spec.control_group = (place->directory / ("troupe-lost-" + std::to_string(getpid()))).string();
  auto page = here.begin("1", spec);
  const auto quiet = written_to(here, "quiet");
  REQUIRE(eventually([&] { return page.at() == attempt_page::phase::running; }));
  kill_supervisor(page.command());
  CHECK(is_alive(quiet));
  CHECK(end_lost_command(lost_command_of(here.folder("1"), page)));
  CHECK_FALSE(is_alive(quiet));
  CHECK_FALSE(std::filesystem::exists(spec.control_group));
}

TEST_CASE("a later session with the number of a lost command is left alone") {
  supervised here;
  auto page = here.begin("1", leaves_processes());
  written_to(here, "quiet");
  written_to(here, "loud");
  REQUIRE(eventually([&] { return page.at() == attempt_page::phase::running; }));
  lost_command lost{here.folder("2"), {}, page.command(), page.command_started() - 1};
  lost.variables = {"TROUPE_TASK_ID=1.0"};
  CHECK(end_lost_command(lost));
  CHECK(is_alive(page.command()));
  lost.leader_started = 0; // as in pages of earlier versions
  lost.variables = {"TROUPE_TASK_ID=2.0"};
  CHECK(end_lost_command(lost));
  CHECK(is_alive(page.command()));
  lost.variables = {"TROUPE_TASK_ID=1.0"};
  CHECK(end_lost_command(lost));
  CHECK(here.end_of("1").signal == SIGKILL);
}
