#include "model/discipline/request_line.hpp"
#include "requests.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("requests wait by rank, each once") {
  request_line line{{.order = start_order::fcfs}};
  CHECK(line.insert(*line.rank(request(1, 1, 5s, 2s), 2s)) == 0);
  CHECK(line.insert(*line.rank(request(2, 1, 5s, 1s), 2s)) == 0); // submitted earlier
  CHECK(line.insert(*line.rank(request(3, 1, 5s, 3s), 3s)) == 2);
  CHECK_FALSE(line.rank(request(3, 1, 5s, 3s), 3s));
  CHECK(line.find({1, 0}) == 1);
  CHECK_FALSE(line.find({9, 0}));
  line.erase(0);
  CHECK(line.find({1, 0}) == 0);
  CHECK(line.rank(request(2, 1, 5s, 1s), 4s));
}

TEST_CASE("requests without machines are counted until something ends") {
  request_line line{{}};
  for (job_id j = 1; j <= 3; ++j)
    line.insert(*line.rank(request(j, 1, 5s, j * 1s), 0s));
  CHECK_FALSE(line.forget_no_place());
  line.note_no_place(0);
  line.note_no_place(2);
  CHECK(line.any_without_place());
  line.erase(0);
  CHECK(line.any_without_place());
  CHECK(line.forget_no_place());
  CHECK_FALSE(line.any_without_place());
  CHECK(line[1].was_without_place);
  CHECK_FALSE(line[1].no_place);
}

TEST_CASE("what starts a little later than reserved ends as if it had not") {
  queued_request e;
  e.what = request(1, 1, 10s);
  CHECK(expected_end(e, 5s) == 15s); // it has no reservation
  e.start = 5s;
  CHECK(expected_end(e, 5s + 999ms) == 15s);
  CHECK(expected_end(e, 6s) == 16s);
  CHECK(expected_end(e, 4s) == 14s);
}
