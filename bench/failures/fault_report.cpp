#include "failures/fault_report.hpp"

#include <fmt/format.h>

namespace troupe::trials {

using nlohmann::ordered_json;

namespace {

std::string seconds_text(const std::optional<milliseconds>& t) {
  return t ? fmt::format("{:.2f} s", static_cast<double>(t->count()) / 1000) : "-";
}

ordered_json seconds_json(const std::optional<milliseconds>& t) {
  return t ? ordered_json(static_cast<double>(t->count()) / 1000) : ordered_json(nullptr);
}

} // namespace

bool is_good(const trial_figures& f) {
  return f.checks && f.finished == f.submitted && f.not_finished == 0 && f.twice == 0 &&
         f.extra >= 0 && f.exit_code.value_or(0) == 0;
}

std::string table_head() {
  return "| what fails | detected after | replaced after | grants again after | whole again after "
         "| "
         "slowest second | in flight | ran there | placed anew | submitted | finished | "
         "granted twice | checks |\n"
         "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|";
}

std::string table_row(const fault_row& row, const trial_figures& f) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |", row.name,
                     seconds_text(f.detected), seconds_text(f.replaced), seconds_text(f.grants),
                     seconds_text(f.whole), f.slowest, f.in_flight, f.ran_there, f.extra,
                     f.submitted, f.finished, f.twice, f.checks ? "PASS" : "FAIL");
}

ordered_json to_json(const std::string& architecture, const fault_row& row,
                     const trial_figures& f) {
  return {{"architecture", architecture},
          {"name", row.name},
          {"detected_s", seconds_json(f.detected)},
          {"replaced_s", seconds_json(f.replaced)},
          {"grants_s", seconds_json(f.grants)},
          {"whole_s", seconds_json(f.whole)},
          {"slowest_second", f.slowest},
          {"in_flight", f.in_flight},
          {"ran_there", f.ran_there},
          {"extra_placements", f.extra},
          {"submitted", f.submitted},
          {"finished", f.finished},
          {"granted_twice", f.twice},
          {"self_checks_passed", f.checks}};
}

} // namespace troupe::trials
