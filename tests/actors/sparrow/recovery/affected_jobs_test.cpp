#include "actors/sparrow/parts_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(sparrow_fixture, "where failures are not watched every job may be concerned") {
  for (const job_id id : {2, 3, 1, 4})
    submit(slot_job(id, 1));
  CHECK(parts.affected.losses() == nullptr);
  CHECK(parts.affected.concerned_by(3) == std::vector<job_id>{1, 2, 3, 4});
  CHECK(parts.affected.short_ones().size() == 4);
}

TEST_CASE_FIXTURE(sparrow_fixture,
                  "where they are watched those are that lack machines or are there") {
  parts.affected.watch(1, machines.machines());
  for (const job_id id : {1, 2, 3})
    submit(slot_job(id, 1));
  parts.affected.note_place(3, 6);
  parts.affected.note_place(2, 5);
  parts.affected.note_shortage(*parts.jobs.find(job_id{1}));
  CHECK(parts.affected.short_ones() == std::vector<job_id>{1});
  CHECK(parts.affected.concerned_by(6) == std::vector<job_id>{1, 3});
  parts.jobs.close(*parts.jobs.find(job_id{3}));
  CHECK(parts.affected.concerned_by(6) == std::vector<job_id>{1});
  auto& j = *parts.jobs.find(job_id{1});
  j.groups[0].reserved = 1;
  parts.affected.note_shortage(j);
  CHECK(parts.affected.short_ones().empty());
}
