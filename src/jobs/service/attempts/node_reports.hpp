#pragma once

#include "jobs/service/attempts/attempt_ends.hpp"
#include "jobs/service/attempts/attempt_grants.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/service/work_tables.hpp"

namespace troupe {

/// Answers the reports of nodes with machines: books ends, renews leases, grants attempts, and says
/// which attempts have to stop.
class node_reports {
public:
  node_reports(work_tables& tables, attempt_ends& ends, attempt_grants& grants)
    : tables_(tables), ends_(ends), grants_(grants) {}

  work_answer hear(const work_report& report, service_time now);

private:
  void book_ends(const work_report& report, work_answer& answer, service_time now);
  void lose_missing(const work_report& report, service_time now);
  void renew_running(const work_report& report, work_answer& answer, service_time now);
  void order_stops(const work_report& report, work_answer& answer);

  work_tables& tables_;
  attempt_ends& ends_;
  attempt_grants& grants_;
};

} // namespace troupe
