#include "jobs/job_text.hpp"

#include "report/text/printable.hpp"
#include "report/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <vector>

namespace troupe {

namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
           std::chrono::system_clock::now().time_since_epoch())
    .count();
}

std::int64_t number(const api_json& of, const char* name) {
  const auto it = of.find(name);
  return it != of.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

std::string text(const api_json& of, const char* name) {
  const auto it = of.find(name);
  return it != of.end() && it->is_string() ? printable(it->get<std::string>()) : std::string{};
}

/// Renders "850 ms", "3.2 s", "5 min", "7 h", "2 d".
std::string time_text(std::int64_t ms) {
  constexpr std::int64_t second = 1'000;
  constexpr std::int64_t minute = 60 * second;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  if (ms < second)
    return fmt::format("{} ms", std::max<std::int64_t>(ms, 0));
  if (ms < minute)
    return fmt::format("{:.1f} s", static_cast<double>(ms) / second);
  if (ms < hour)
    return fmt::format("{} min", ms / minute);
  return ms < 2 * day ? fmt::format("{} h", ms / hour) : fmt::format("{} d", ms / day);
}

std::string age_text(const api_json& job) {
  return time_text(now_ms() - number(job, "submitted_ms")) + " ago";
}

std::string progress_text(const api_json& job) {
  return fmt::format("{}/{}",
                     number(job, "succeeded") + number(job, "failed") + number(job, "cancelled"),
                     number(job, "tasks"));
}

/// The last column takes the rest of the line.
void write_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                 std::size_t width) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c >= widths.size())
        widths.push_back(0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c > 0 ? "  " : "") + row[c] +
              (c + 1 < row.size() ? std::string(widths[c] - row[c].size(), ' ') : "");
    line.erase(line.find_last_not_of(' ') + 1);
    out << (width > 0 ? fit(line, width) : line) << '\n';
  }
}

/// Without the reason.
std::string state_in_words(const api_json& job) {
  const auto state = text(job, "state");
  const auto tasks = number(job, "tasks");
  const auto all = fmt::format("{} {}", tasks, tasks == 1 ? "task" : "tasks");
  if (job_state_of(job) == job_state::succeeded)
    return fmt::format("{}: {} in {}", state, all,
                       time_text(number(job, "finished_ms") - number(job, "submitted_ms")));
  std::string counts;
  for (const auto* what : {"running", "succeeded", "failed", "cancelled"})
    if (const auto n = number(job, what); n > 0)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, what);
  return state + ": " + (counts.empty() ? all : counts + " of " + all);
}

/// Whether it is queued, and its lines of waits say more than its reason.
bool tells_waits(const api_json& job) {
  return job_state_of(job) == job_state::queued &&
         (!job.value("waits_for", api_json::array()).empty() ||
          std::ranges::any_of(job.value("groups", api_json::array()), [](const api_json& g) {
            return g.contains("no_machine") || g.contains("at_maximum");
          }));
}

std::string end_text(const api_json& run) {
  const auto reason = text(run, "reason");
  if (run.value("open", false))
    return "runs";
  if (reason != "none" && !reason.empty())
    return reason + (text(run, "detail").empty() ? "" : ": " + text(run, "detail"));
  if (run.contains("signal") && run["signal"].is_number_integer())
    return fmt::format("signal {}{}", number(run, "signal"),
                       run.value("oom", false) ? ", out of memory" : "");
  return fmt::format("exit code {}", number(run, "exit_code"));
}

} // namespace

std::optional<job_state> job_state_of(const api_json& job) {
  return choice_named<job_state>(text(job, "state"));
}

bool is_over(const api_json& job) {
  const auto state = job_state_of(job);
  return state && is_over(*state);
}

void write_jobs(std::ostream& out, const api_json& jobs, std::size_t width) {
  std::vector<std::vector<std::string>> rows{
    {"job", "state", "done", "running", "failed", "submitted", "name", "reason"}};
  for (const auto& job : jobs)
    rows.push_back({std::to_string(number(job, "id")), text(job, "state"), progress_text(job),
                    std::to_string(number(job, "running")), std::to_string(number(job, "failed")),
                    age_text(job), text(job, "name"), text(job, "reason")});
  write_table(out, rows, width);
}

std::string job_in_words(const api_json& job) {
  const auto words = state_in_words(job);
  const auto why = text(job, "reason");
  return why.empty() || job_state_of(job) == job_state::succeeded ? words : words + "; " + why;
}

void write_job(std::ostream& out, const api_json& job) {
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out << fmt::format("{:<10} {}\n", name, value);
  };
  line("job", std::to_string(number(job, "id")));
  line("name", text(job, "name"));
  line("state", tells_waits(job) ? state_in_words(job) : job_in_words(job));
  line("submitted", age_text(job));
  if (number(job, "started_ms") > 0)
    line("started", time_text(number(job, "started_ms") - number(job, "submitted_ms")) + " later");
  if (number(job, "priority") != 0)
    line("priority", std::to_string(number(job, "priority")));
  if (text(job, "tenant") != "default")
    line("tenant", text(job, "tenant"));
  std::string before;
  for (const auto& id : job.value("waits_for", api_json::array()))
    if (id.is_number_unsigned())
      before += fmt::format("{}{}", before.empty() ? "" : ", ", id.get<std::uint64_t>());
  if (!before.empty())
    line("wait", "until these jobs have succeeded: " + before);
  for (const auto& group : job.value("groups", api_json::array())) {
    std::string command;
    for (const auto& word : group.value("command", api_json::array()))
      command += (command.empty() ? "" : " ") +
                 (word.is_string() ? printable(word.get<std::string>()) : std::string{"?"});
    line("tasks", fmt::format("{} x {}", number(group, "tasks"), command));
    if (const auto why = text(group, "no_machine"); !why.empty())
      line("wait", fmt::format("until {} that {} it: {}",
                               group.value("gang", false) ? "machines join" : "a machine joins",
                               group.value("gang", false) ? "hold" : "holds", why));
    if (const auto why = text(group, "at_maximum"); !why.empty())
      line("wait", "until its tenant's maximum admits it: " + why);
  }
}

void write_tasks(std::ostream& out, const api_json& job, const api_json& tasks) {
  std::vector<std::vector<std::string>> rows{{"task", "state", "attempts", "reason"}};
  for (const auto& task : tasks)
    rows.push_back({fmt::format("{}.{}", number(job, "id"), number(task, "task")),
                    text(task, "state"), std::to_string(number(task, "attempts")),
                    text(task, "reason")});
  write_table(out, rows, 0);
}

void write_task(std::ostream& out, const api_json& job, const api_json& task) {
  out << fmt::format("task {}.{} of {}: {}{}\n", number(job, "id"), number(task, "task"),
                     text(task, "group"), text(task, "state"),
                     text(task, "reason").empty() ? "" : "; " + text(task, "reason"));
  std::vector<std::vector<std::string>> rows{{"attempt", "node", "ran", "CPU", "memory", "end"}};
  for (const auto& run : task.value("runs", api_json::array())) {
    // Nodes tell the start of a command together with its end.
    const bool open = run.value("open", false);
    const auto started = number(run, open ? "granted_ms" : "started_ms");
    const auto until = open ? now_ms() : number(run, "ended_ms");
    rows.push_back(
      {std::to_string(number(run, "attempt")), text(run, "node"),
       started > 0 ? time_text(until - started) : "-",
       fmt::format("{:.2f} s", run.value("user_s", 0.0) + run.value("system_s", 0.0)),
       fmt::format("{:.1f} MiB", static_cast<double>(number(run, "max_rss_bytes")) / (1 << 20)),
       end_text(run)});
  }
  if (rows.size() > 1)
    write_table(out, rows, 0);
}

} // namespace troupe
