#pragma once

#include "jobs/service/work_parts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// The parts of a work book without the book around them.
namespace troupe::test {

/// A group in JSON: `count` tasks, and further members such as ,"after":["a"].
inline std::string group_json(const std::string& name, int count, const std::string& members = "") {
  return R"({"command":["true"],"name":")" + name + R"(","count":)" + std::to_string(count) +
         members + "}";
}

inline constexpr service_time first_look{instant{1}, 1'000};

struct work_fixture {
  work_parts parts{1, 1, {}};

  /// Takes a job in that waits for `after`, and hands out what may be placed.
  live_job& submit(const std::string& groups, const std::vector<std::uint64_t>& after = {}) {
    auto spec = read_job_json(R"({"groups":[)" + groups + "]}");
    spec.after = after;
    auto& j = parts.jobs.add(std::move(spec), first_look);
    parts.changes.add(j, "");
    parts.starter.begin(j, {}, first_look);
    parts.placer.place_all();
    return j;
  }

  /// Returns the only job that was handed out since the last look.
  job only_made() {
    auto orders = parts.handed.take_orders();
    REQUIRE(orders.made.size() == 1);
    return orders.made.front();
  }

  /// Grants an attempt for a task of the scheduler to a node.
  attempt_key start(task_id as, const std::string& node = "n1") {
    work_report report;
    report.node = node;
    report.boot = 1;
    const auto permit = parts.grants.permit(report, as, first_look);
    REQUIRE(permit.verdict == start_verdict::run);
    return permit.which;
  }

  /// Ends an attempt with the exit code.
  void end(const attempt_key& which, int code = 0) {
    attempt_end end;
    end.which = which;
    end.exit_code = code;
    parts.ends.book(end, first_look);
    parts.placer.place_all();
  }
};

} // namespace troupe::test
