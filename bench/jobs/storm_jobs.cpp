#include "jobs/storm_jobs.hpp"

#include "failures/cluster_process.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/store_tools.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

namespace troupe::trials {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t tasks_per_job = 100;
constexpr std::uint32_t gang = 4;
constexpr double cpu = 0.1;

/// Arguments: the directory, the tasks to wait for (first and count), milliseconds.
constexpr const char* script = R"(mkdir -p "$0/$TROUPE_JOB" && cd "$0/$TROUPE_JOB" || exit 8
id=$TROUPE_TASK_ID
( set -C; : > "$id.begun.$TROUPE_ATTEMPT" ) || { echo "$id" >> ../twice; exit 9; }
exec 9> "$id.lock"
flock -n 9 || { echo "$id" >> ../together; exit 9; }
n=$2
while [ "$n" -gt 0 ]; do
  n=$((n - 1))
  ls "$TROUPE_JOB.$(($1 + n)).done."* > /dev/null 2>&1 || echo "$id" >> ../early
done
sleep "$3"
: > "$id.done.$TROUPE_ATTEMPT"
)";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '\n'                 ? std::string{"\\n"}
           : (c == '"' || c == '\\') ? std::string{'\\', c}
                                     : std::string{c};
  return out + '"';
}

/// A group of tasks in a job file.
struct written_group {
  std::string name;
  std::uint32_t first = 0; ///< task of the job
  std::uint32_t count = 0;
};

class job_writer {
public:
  job_writer(const storm_plan& plan, const storm_marks& marks, std::mt19937_64& draw)
    : plan_(plan), marks_(marks), draw_(draw) {}

  written_group add(std::uint32_t count) { return write(count, {}, ""); }
  written_group add_gang(std::uint32_t count) { return write(count, {}, "gang = true\n"); }
  void add_after(const written_group& before, std::uint32_t count) {
    write(count, before, "after = [" + quoted(before.name) + "]\n");
  }

  std::uint32_t tasks() const { return tasks_; }
  std::string text() const { return text_.str(); }

private:
  written_group write(std::uint32_t count, const written_group& before, const std::string& more) {
    const written_group made{"g" + std::to_string(tasks_), tasks_, count};
    tasks_ += count;
    text_ << "[[groups]]\nname = " << quoted(made.name) << "\ncount = " << count
          << "\ncommand = [\"sh\", \"-c\", " << quoted(script) << ", "
          << quoted(marks_.directory.string()) << ", \"" << before.first << "\", \"" << before.count
          << "\", \"" << draw_seconds() << "\"]\ncpu = " << cpu << "\nlease = \""
          << plan_.lease.count() << "ms\"\n"
          << more;
    return made;
  }

  /// Most are short: the logarithm is drawn evenly.
  double draw_seconds() {
    const auto seconds = [](std::chrono::milliseconds t) {
      return std::chrono::duration<double>(t).count();
    };
    std::uniform_real_distribution<double> even{std::log(seconds(plan_.shortest)),
                                                std::log(seconds(plan_.longest))};
    return std::exp(even(draw_));
  }

  const storm_plan& plan_;
  const storm_marks& marks_;
  std::mt19937_64& draw_;
  std::ostringstream text_;
  std::uint32_t tasks_ = 0;
};

} // namespace

std::uint64_t storm_marks::lines_in(const std::string& file) const {
  const auto text = read_text(directory / file);
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

std::vector<std::string> storm_marks::attempts(const std::string& stage) const {
  std::vector<std::string> found;
  const auto part = '.' + stage + '.';
  for (const auto& entry : fs::recursive_directory_iterator{directory}) {
    const auto name = entry.path().filename().string();
    if (const auto at = name.find(part); at != std::string::npos)
      found.push_back(name.substr(0, at) + '.' + name.substr(at + part.size()));
  }
  return found;
}

std::vector<fs::path> write_storm_jobs(const storm_plan& plan, const storm_marks& marks) {
  fs::create_directories(marks.directory);
  std::mt19937_64 draw{plan.seed};
  std::vector<fs::path> files;
  for (std::uint32_t left = plan.tasks; left > 0;) {
    job_writer job{plan, marks, draw};
    while (job.tasks() < tasks_per_job && job.tasks() < left) {
      const auto first = job.add(static_cast<std::uint32_t>(5 + draw() % 16));
      const auto second = job.add_gang(gang);
      job.add_after(draw() % 2 == 0 ? first : second, static_cast<std::uint32_t>(1 + draw() % 10));
    }
    left -= std::min(left, job.tasks());
    files.push_back(marks.directory / ("job-" + std::to_string(files.size()) + ".toml"));
    std::ofstream{files.back()} << job.text();
  }
  return files;
}

std::vector<std::string> submit(trial_cluster& cluster,
                                const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> ids;
  for (const auto& file : files) {
    auto out = run_client(cluster, {"submit", file.string(), "--quiet"});
    if (!out)
      throw std::runtime_error(
        file.string() + " is not accepted: " + read_text(cluster.plan().directory / ".errors"));
    ids.push_back(out->substr(0, out->find('\n')));
  }
  return ids;
}

bool are_over(trial_cluster& cluster) {
  for (const char* state : {"queued", "running"}) {
    const auto told = ask_api(cluster, "/api/v1/jobs?limit=1&state=" + std::string{state});
    if (!told || !(*told)["jobs"].empty())
      return false;
  }
  return true;
}

void read_store(const std::filesystem::path& file, const storm_marks& marks,
                storm_figures& figures) {
  figures.damage = check_store({file, {}}).faults;
  sqlite_database store{file};
  std::set<std::string> known;
  const auto done = marks.attempts("done");
  std::set<std::string> ran;
  for (const auto& name : done)
    ran.insert(name.substr(0, name.rfind('.')));
  constexpr std::size_t all = 100'000;
  for (const auto& job : store.jobs({}, 0, all)) {
    ++figures.jobs;
    for (const auto& task : store.tasks(job.id, 0, job.tasks, std::nullopt, all)) {
      ++figures.tasks;
      const bool succeeded = task.state == task_state::succeeded;
      figures.succeeded += succeeded ? 1 : 0;
      const auto name = std::to_string(job.id) + '.' + std::to_string(task.task);
      figures.lost += succeeded && !ran.contains(name) ? 1 : 0;
      for (const auto& attempt : store.attempts(job.id, task.task)) {
        ++figures.attempts;
        known.insert(to_string(attempt.which));
      }
    }
  }
  const auto begun = marks.attempts("begun");
  figures.started = begun.size();
  for (const auto& name : begun)
    figures.unknown += known.contains(name) ? 0 : 1;
  figures.together = marks.lines_in("together");
  figures.repeated = marks.lines_in("twice");
  figures.out_of_order = marks.lines_in("early");
}

} // namespace troupe::trials
