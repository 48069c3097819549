#include "settings/reading.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;

namespace {

/// Checks that every name of an enum is its own, and is read as its value.
template <choice Enum>
void check_names() {
  const auto& names = choice_names<Enum>::value;
  CHECK(std::set<std::string_view>(names.begin(), names.end()).size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<Enum>(i);
    CHECK(name_of(value) == names[i]);
    CHECK(choice_named<Enum>(names[i]) == value);
  }
  CHECK(!choice_named<Enum>("no name"));
}

/// Returns the expected values in the refusal of `value` for a key.
std::string expected_for(const std::string& key, const std::string& value = "\"nonsense\"") {
  const auto message = refusal(key + " = " + value + "\n" + one_phase);
  const auto start = "f.toml:1: key '" + key + "': value " + value + "; expected ";
  REQUIRE_MESSAGE(message.starts_with(start), message);
  return message.substr(start.size());
}

} // namespace

TEST_CASE("every choice is read by its name") {
  check_names<role>();
  check_names<fault_kind>();
  check_names<chaos_kind>();
  check_names<lifetime_kind>();
  check_names<clock_kind>();
  check_names<architecture_kind>();
  check_names<builtin_scheduler>();
  check_names<sync_plan_kind>();
  check_names<score_distribution>();
  check_names<retry_place>();
  check_names<probing>();
  check_names<queue_discipline>();
  check_names<trace_format>();
  check_names<unfinished_kind>();
}

TEST_CASE("a wrong choice is refused with all names") {
  CHECK(expected_for("architecture") ==
        "parsync, statesync, static, monolithic, two-level, sparrow or hybrid");
  CHECK(expected_for("architecture", "3") ==
        "parsync, statesync, static, monolithic, two-level, sparrow or hybrid");
  CHECK(expected_for("scheduler.actor").starts_with("placing, sparrow"));
  CHECK(expected_for("cluster.score.distribution") == "lognormal or constant");
  CHECK(expected_for("scheduler.retry.at") == "head or back");
  CHECK(expected_for("sparrow.probing") == "random, per-task, batch or late-binding");
  CHECK(expected_for("sparrow.queue") == "fifo, priority or fair");
  for (const auto* key : {"workload.trace.format", "cluster.trace.format"})
    CHECK(expected_for(key) ==
          "auto, tr, google2011, alibaba2018, alibaba2017, swf, openb or recorded");
  CHECK(expected_for("workload.trace.unfinished") == "cut or drop");
}

TEST_CASE("random failures have only some of the kinds and roles") {
  const auto expected = [](const std::string& line) {
    const auto message = refusal("[[faults.random]]\n" + line + "\n" + one_phase);
    return message.substr(message.find("expected "));
  };
  CHECK(expected("kind = 'cut'") == "expected kill or freeze");
  CHECK(expected("role = 'allocator'") == "expected machine, owner, scheduler or master");
  CHECK(expected("distribution = 'normal'") == "expected exponential or weibull");
}

TEST_CASE("an actor of a plugin is none of the built-in ones") {
  CHECK(builtin_scheduler_of("hybrid") == builtin_scheduler::hybrid);
  CHECK(!builtin_scheduler_of("mine"));
}
