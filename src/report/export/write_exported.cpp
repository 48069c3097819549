#include "report/export/export_jobs.hpp"
#include "report/records/record_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace troupe {

namespace {

std::string decimal(double x, std::string_view unknown) {
  // Differences of times in ns keep at most nine digits.
  if (!std::isfinite(x))
    return std::string{unknown};
  auto text = fmt::format("{:.9f}", x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.'))
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string_view batsim_state(const exported_job& job) {
  if (job.state == record_state::finished)
    return "COMPLETED_SUCCESSFULLY";
  return job.state == record_state::abandoned ? "REJECTED" : "COMPLETED_FAILED";
}

void write_batsim(std::ostream& out, const exported_jobs& all) {
  out << "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
         "requested_time,success,final_state,starting_time,execution_time,finish_time,"
         "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n";
  const auto name = as_cell(all.name.empty() ? "troupe" : all.name);
  for (const auto& j : all.jobs) {
    const auto ran = j.ended_s - j.started_s;
    const auto turnaround = j.ended_s - j.submitted_s;
    out << j.number << ',' << name << ',' << as_cell(j.group) << ',' << decimal(j.submitted_s, "")
        << ',' << j.tasks << ',' << decimal(j.requested_s, "") << ','
        << (j.state == record_state::finished ? 1 : 0) << ',' << batsim_state(j);
    for (const auto x : {j.started_s, ran, j.ended_s, j.started_s - j.submitted_s, turnaround,
                         ran > 0 ? turnaround / ran : std::nan("")})
      out << ',' << decimal(x, "");
    out << ',' << interval_set(j.machines) << ",,\n";
  }
}

int swf_status(const exported_job& job) {
  if (job.state == record_state::finished)
    return 1;
  return job.state == record_state::abandoned ? 5 : 0;
}

/// Returns the number of a name, counted from 1 in order of appearance; -1 for none.
int swf_number(std::map<std::string, int>& known, const std::string& name) {
  if (name.empty())
    return -1;
  return known.emplace(name, static_cast<int>(known.size()) + 1).first->second;
}

void write_swf(std::ostream& out, const exported_jobs& all) {
  std::map<std::string, int> groups;
  std::map<std::string, int> tenants;
  auto processors = all.processors;
  for (const auto& j : all.jobs) {
    swf_number(groups, j.group);
    swf_number(tenants, j.tenant);
    processors = std::max(processors, j.tasks);
  }
  out << "; Version: 2.2\n; Computer: emulated by troupe, run " << all.name
      << "\n; UnixStartTime: 0\n; MaxJobs: " << all.jobs.size()
      << "\n; MaxRecords: " << all.jobs.size() << "\n; MaxProcs: " << processors
      << "\n; Note: a processor is a task; times have fractions of a second\n";
  for (const auto& [name, number] : tenants)
    out << "; UserName: " << number << ' ' << name << '\n';
  for (const auto& [name, number] : groups)
    out << "; Queue: " << number << ' ' << name << '\n';
  std::uint64_t number = 0;
  for (const auto& j : all.jobs) {
    const auto tasks = static_cast<double>(std::max<std::uint64_t>(j.tasks, 1));
    const auto kib = j.memory_gib / tasks * 1024 * 1024;
    const auto wait = decimal(j.started_s - j.submitted_s, "-1");
    const auto ran = decimal(j.ended_s - j.started_s, "-1");
    const auto memory = std::isfinite(kib) ? decimal(std::ceil(kib), "-1") : "-1";
    out << ++number << ' ' << decimal(j.submitted_s, "-1") << ' ' << wait << ' ' << ran << ' '
        << j.tasks << " -1 " << memory << ' ' << j.tasks << ' ' << decimal(j.requested_s, "-1")
        << ' ' << memory << ' ' << swf_status(j) << ' ' << swf_number(tenants, j.tenant)
        << " -1 -1 " << swf_number(groups, j.group) << " -1 -1 -1\n";
  }
}

} // namespace

void write_exported(std::ostream& out, const exported_jobs& jobs, export_format format) {
  if (format == export_format::batsim)
    write_batsim(out, jobs);
  else
    write_swf(out, jobs);
}

} // namespace troupe
