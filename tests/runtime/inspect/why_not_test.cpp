#include "actors/owner/owner.hpp"
#include "report/explain/why_not.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/inspect/replay.hpp"
#include "runtime/known_run.hpp"

#include <map>
#include <numeric>

namespace troupe::test::excluding {

using namespace std::chrono_literals;

namespace {

/// What owners have free, looked up without any of the code that explains.
class free_reader final : public run_monitor, public run_inspector {
public:
  free_reader(const run_settings& settings, instant at) : settings_(settings), at_(at) {}

  std::map<machine_id, resources> free;

  void progress(const run_progress&) override {}
  bool stop_requested() override { return done_; }
  task_watch* watch(virtual_coordinator&) override { return nullptr; }
  void begin(std::shared_ptr<const catalog> machines, member_finder find) override {
    machines_ = std::move(machines);
    find_ = std::move(find);
  }
  std::optional<instant> next() const override { return done_ ? std::nullopt : std::optional{at_}; }
  void look(instant) override {
    done_ = true;
    for (owner_id o = 0; o < owner_places(settings_); ++o) {
      simulated_cluster::process one;
      one.handle = find_(role::owner, o);
      const auto* state = state_of<owner_actor, owner_state>(one);
      for (const auto& part : state->core->partitions())
        for (const auto m : machines_->members(part.partition()))
          free[m] = part.free(m);
    }
  }
  void end(instant) override {}

private:
  const run_settings& settings_;
  instant at_;
  std::shared_ptr<const catalog> machines_;
  member_finder find_;
  bool done_ = false;
};

why_not_facts facts_of(const replay_answer& answer, const task_id& task) {
  why_not_facts facts;
  facts.task = task;
  facts.at = answer.look->at;
  facts.in = answer.look->in;
  facts.truth = answer.look->truth;
  facts.probes = answer.look->probes;
  return facts;
}

std::uint32_t sum_of(const machine_survey& all) {
  return std::accumulate(all.lines.begin(), all.lines.end(), std::uint32_t{0},
                         [](std::uint32_t n, const auto& line) { return n + line.machines; });
}

/// Asks why a task is on no machine at an instant, and compares with what owners have free.
void check_why_not(const known_run& of, const task_record& row, instant at) {
  CAPTURE(to_string(row.task));
  CAPTURE(at.count());
  const auto again =
    replay(of.settings, {row.task.job, row.task.index, machine_id{3}, at, false}, of.rows);
  CHECK(again.differs == "");
  REQUIRE(again.look);
  CHECK(again.look->at == at);
  const auto& in = again.look->in;
  if (in.where == task_situation::place::unknown)
    return;
  const auto answer =
    answer_why_not(facts_of(again, row.task), *again.machines, names_of(of.settings), "DIR");
  CHECK(!answer.sentences.empty());
  if (in.seen)
    CHECK(sum_of(*in.seen) == again.machines->machines());
  CHECK(sum_of(again.look->truth) == again.machines->machines());
  if (again.look->probes)
    return;
  free_reader reader{of.settings, at};
  run(of.settings, reader, &reader);
  std::uint32_t with_room = 0;
  for (const auto& [m, free] : reader.free) {
    bool meets_all = true;
    for (const auto& c : in.wish.constraints)
      meets_all = meets_all && meets(again.machines->kind_of(m).attributes, c);
    with_room += meets_all && free.fits(in.wish.demand);
  }
  const auto shared = again.look->truth.count(machine_check::other_share) == 0 &&
                      again.look->truth.count(machine_check::job_there) == 0;
  if (shared)
    CHECK(again.look->truth.fits() + again.look->truth.count(machine_check::kept_away) ==
          with_room);
  REQUIRE(again.look->asked_truth);
  if (again.look->asked_truth->check == machine_check::fits)
    CHECK(reader.free[3].fits(in.wish.demand));
  if (again.look->asked_truth->check == machine_check::no_room) {
    const auto& lack = *again.look->asked_truth;
    CHECK(in.wish.demand[lack.lacks] - reader.free[3][lack.lacks] == lack.missing);
  }
  const auto& near = again.look->truth.nearest;
  if (near)
    CHECK(in.wish.demand[near->lacks] - reader.free[near->machine][near->lacks] == near->missing);
}

void check_reasons(const std::string& text, const std::vector<std::string>& overrides) {
  const known_run of{text, overrides};
  for (const auto& row : of.sample(10, 11)) {
    check_why_not(of, row, row.at.submitted + 7ms);
    check_why_not(of, row, 5s);
  }
}

} // namespace

TEST_CASE("machines that are excluded are excluded by what owners have") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    check_reasons(busy_config, {"architecture=" + architecture});
  }
  check_reasons(preempting_config, {});
}

} // namespace troupe::test::excluding
