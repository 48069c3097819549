#include "report/summary/difference_table.hpp"

#include "report/summary/summary_json.hpp"
#include "report/text/text.hpp"

#include <iomanip>

namespace troupe {

namespace {

struct figure {
  const char* name;
  const char* path; ///< in summary.json
  std::string (*text)(double);
};

std::string count(double x) {
  return count_text(static_cast<std::uint64_t>(x));
}

constexpr figure figures[] = {
  {"tasks submitted", "/tasks/submitted", count},
  {"tasks finished", "/tasks/finished", count},
  {"tasks lost", "/tasks/lost", count},
  {"placements", "/tasks/placed", count},
  {"scheduling delay, mean", "/scheduling_delay_s/mean", seconds_text},
  {"scheduling delay, p99", "/scheduling_delay_s/p99", seconds_text},
  {"job response, mean", "/job_response_s/mean", seconds_text},
  {"job response, p99", "/job_response_s/p99", seconds_text},
  {"conflict fraction", "/conflict_fraction", number_text},
  {"quality, mean", "/quality/mean", number_text},
  {"utilization, mean", "/utilization/mean", percent_text},
  {"simulated time", "/simulated_seconds", seconds_text},
};

std::string difference_text(double before, double after) {
  if (before == after)
    return "the same";
  if (before == 0)
    return "";
  const auto percent = (after - before) / before * 100;
  return (percent > 0 ? "+" : "-") + number_text(percent > 0 ? percent : -percent) + " %";
}

} // namespace

void write_difference(std::ostream& out, const run_results& without, const run_results& with) {
  out << "\nfailures: ";
  const char* between = "";
  for (const auto& [what, n] : with.failures) {
    out << between << n << " x " << what;
    between = ", ";
  }
  out << (with.failures.empty() ? "none\n\n" : "\n\n");
  const auto line = [&](const std::string& name, const std::string& a, const std::string& b,
                        const std::string& difference) {
    out << std::left << std::setw(24) << name << std::right << std::setw(14) << a << std::setw(14)
        << b << std::setw(12) << difference << '\n';
  };
  line("", "without", "with", "");
  const auto before = summary_json(without);
  const auto after = summary_json(with);
  for (const auto& f : figures) {
    const nlohmann::ordered_json::json_pointer at{f.path};
    if (!before.contains(at) || !after.contains(at) || !before[at].is_number() ||
        !after[at].is_number())
      continue;
    const auto a = before[at].get<double>();
    const auto b = after[at].get<double>();
    line(f.name, f.text(a), f.text(b), difference_text(a, b));
  }
}

} // namespace troupe
