#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"

namespace troupe {

std::vector<swarm_row> failure_rows() {
  using namespace swarm_conditions;
  return {
    {"failures.watch", {"on"}, feature, calm},
    {"failures.heartbeat", {"100ms", "300ms", "1s"}, feature, failing},
    {"failures.timeout", {"500ms", "1500ms", "4s"}, always, failing, timeout_fits},
    {"failures.machine_timeout", {"2s", "5s", "12s"}, always, failing, machine_timeout_fits},
    {"failures.owner_lease", {"0s", "2s", "5s", "30s"}, feature, failing, lease_fits},
    {"failures.retries", {"1", "3", "100"}, feature, failing},
    {"failures.standby_owners", {"0", "2"}, feature, failing},
    {"failures.standby_schedulers", {"0", "2"}, feature, failing},
    {"chaos.faults", {"1", "3", "6", "12", "25"}, always, failing},
    {"chaos.kinds",
     {R"(["machine"])", R"(["owner"])", R"(["scheduler"])", R"(["master"])", R"(["cut"])",
      R"(["loss"])", R"(["delay"])", R"(["drain"])", R"(["allocator"])", R"(["machine","owner"])",
      R"(["drain","machine","scheduler"])", R"(["owner","scheduler"])",
      R"(["scheduler","machine","cut"])", R"(["owner","loss","delay"])",
      R"(["machine","owner","scheduler","master","allocator","cut","loss","delay","drain"])"},
     feature,
     failing,
     [](p d, v value) {
       return (offers(d) || value.find("allocator") == v::npos) &&
              (places(d) || value.find("owner") == v::npos);
     }},
    {"chaos.window", {"3s", "10s", "20s"}, feature, failing},
    {"chaos.longest", {"300ms", "4s", "12s"}, feature, failing},
    {"chaos.withdrawals", {"0.1", "0.5", "1"}, feature, failing},
  };
}

} // namespace troupe
