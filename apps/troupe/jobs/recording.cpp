#include "jobs/recording.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

namespace troupe {

namespace {

constexpr double ms_per_s = 1'000;
constexpr const char* whole_page = "?limit=1000";

/// What one task did.
struct past_task {
  double held_s = 0; ///< its machine: from each grant to the end
  std::int64_t ended_ms = 0;
  bool started = false;
  bool open = false;
};

std::int64_t instant_in(const api_json& object, const char* name) {
  const auto it = object.find(name);
  return it == object.end() || it->is_null() ? 0 : it->get<std::int64_t>();
}

past_task past_of(const api_json& runs) {
  past_task past;
  for (const auto& run : runs) {
    past.open = past.open || run["open"].get<bool>();
    const auto granted = instant_in(run, "granted_ms");
    const auto ended = instant_in(run, "ended_ms");
    if (run["lost"].get<bool>() || instant_in(run, "started_ms") == 0 || ended < granted)
      continue;
    past.started = true;
    past.held_s += static_cast<double>(ended - granted) / ms_per_s;
    past.ended_ms = std::max(past.ended_ms, ended);
  }
  return past;
}

std::vector<past_task> past_tasks(job_api& api, const std::string& job) {
  std::vector<past_task> tasks;
  std::string from;
  for (;;) {
    const auto part = api.runs(job, whole_page + (from.empty() ? "" : "&from=" + from));
    for (const auto& task : part["tasks"])
      tasks.push_back(past_of(task["runs"]));
    if (part["next"].is_null())
      return tasks;
    from = part["next"].dump();
  }
}

resources demand_of(const api_json& group) {
  constexpr double per_unit = 1'000;
  constexpr double mib = 1024.0 * 1024.0;
  resources r;
  r[resource::cpu] = static_cast<std::int32_t>(std::lround(group["cpu"].get<double>() * per_unit));
  r[resource::memory] =
    static_cast<std::int32_t>(std::ceil(group["memory_bytes"].get<double>() / mib));
  r[resource::gpu] = static_cast<std::int32_t>(std::lround(group["gpu"].get<double>() * per_unit));
  r[resource::slots] = group["slots"].get<std::int32_t>();
  return r;
}

/// A group of a job, with what became of its tasks.
struct past_group {
  std::string name;
  recorded_group is; ///< without `after`
  bool gang = false;
  std::vector<std::size_t> after;
  std::int64_t released_ms = 0; ///< when the groups before it were over
  std::int64_t ended_ms = 0;
};

class job_recorder {
public:
  job_recorder(job_api& api, std::int64_t from_ms) : api_(api) { made_.head.from_ms = from_ms; }

  void add(const api_json& listed) {
    const auto id = listed["id"].dump();
    const auto job = api_.job(id);
    const auto tasks = past_tasks(api_, id);
    auto begin = job["submitted_ms"].get<std::int64_t>();
    for (const auto& other : job["after"])
      begin = std::max(begin, end_of(other.get<std::uint64_t>()));
    std::map<std::string, std::size_t> numbers;
    std::vector<past_group> groups;
    for (const auto& g : job["groups"]) {
      numbers[g["name"].get<std::string>()] = groups.size();
      groups.push_back(group_of(g, tasks, groups, numbers, begin));
    }
    const bool gangs = std::ranges::any_of(groups, &past_group::gang);
    if (gangs && groups.size() > 1)
      add_apart(id, job, groups);
    else
      add_whole(id, job, gangs, begin, groups);
  }

  /// Times count from the first job.
  recording take() {
    std::ranges::stable_sort(made_.jobs, {}, &recorded_job::at_s);
    if (!made_.jobs.empty()) {
      const auto first = made_.jobs.front().at_s;
      made_.head.from_ms += std::llround(first * ms_per_s);
      for (auto& job : made_.jobs)
        job.at_s = std::round((job.at_s - first) * ms_per_s) / ms_per_s;
    }
    return std::move(made_);
  }

  recording& made() { return made_; }

private:
  past_group group_of(const api_json& g, const std::vector<past_task>& tasks,
                      const std::vector<past_group>& before,
                      const std::map<std::string, std::size_t>& numbers, std::int64_t begin) {
    past_group group;
    group.name = g["name"];
    group.gang = g["gang"];
    group.is.demand = demand_of(g);
    for (const auto& c : g["constraints"])
      group.is.constraints.push_back(parse_constraint(c.get<std::string>()));
    group.released_ms = begin;
    for (const auto& name : g["after"]) {
      group.after.push_back(numbers.at(name.get<std::string>()));
      group.released_ms = std::max(group.released_ms, before.at(group.after.back()).ended_ms);
    }
    const auto first = g["first_task"].get<std::size_t>();
    const auto end = std::min(tasks.size(), first + g["tasks"].get<std::size_t>());
    for (auto t = first; t < end; ++t) {
      const auto& past = tasks[t];
      group.ended_ms = std::max(group.ended_ms, past.ended_ms);
      if (past.open)
        ++made_.open;
      else if (!past.started)
        ++made_.unstarted;
      else
        group.is.durations_s.push_back(past.held_s);
    }
    return group;
  }

  double seconds(std::int64_t ms) const {
    return static_cast<double>(std::max<std::int64_t>(0, ms - made_.head.from_ms)) / ms_per_s;
  }

  void add_whole(const std::string& id, const api_json& of, bool gang, std::int64_t begin,
                 const std::vector<past_group>& groups) {
    recorded_job job{
      id, seconds(begin), of["priority"].get<std::int32_t>(), gang, of["tenant"].get<std::string>(),
      {}};
    std::vector<std::optional<std::uint32_t>> places; ///< of the groups that have tasks
    for (const auto& g : groups) {
      places.emplace_back();
      if (g.is.durations_s.empty())
        continue;
      places.back() = static_cast<std::uint32_t>(job.groups.size());
      job.groups.push_back(g.is);
      for (const auto before : g.after)
        if (places[before])
          job.groups.back().after.push_back(*places[before]);
    }
    keep(std::move(job));
  }

  void add_apart(const std::string& id, const api_json& of, const std::vector<past_group>& groups) {
    for (const auto& g : groups)
      if (!g.is.durations_s.empty())
        keep({id + '/' + g.name,
              seconds(g.released_ms),
              of["priority"].get<std::int32_t>(),
              g.gang,
              of["tenant"].get<std::string>(),
              {g.is}});
  }

  void keep(recorded_job job) {
    if (job.groups.empty())
      return;
    for (const auto& g : job.groups)
      made_.tasks += g.durations_s.size();
    made_.jobs.push_back(std::move(job));
  }

  /// Returns when another job was over; 0: it is not, or no longer kept.
  std::int64_t end_of(std::uint64_t job) {
    try {
      return instant_in(api_.job(std::to_string(job)), "finished_ms");
    } catch (const api_refusal&) {
      return 0;
    }
  }

  job_api& api_;
  recording made_;
};

/// The machines that there were from then on, as a trace of the jobs has them: a line when each
/// came, and one when it left.
class machine_recorder {
public:
  machine_recorder(const api_json& told, std::int64_t from_ms) : from_ms_(from_ms) {
    for (const auto& m : told["machines"])
      add(m);
    std::ranges::stable_sort(lines_, {}, &recorded_machine::at_s);
  }

  std::vector<recorded_machine> take() { return std::move(lines_); }

private:
  void add(const api_json& m) {
    const auto left = instant_in(m, "left_ms");
    if (left != 0 && left <= from_ms_)
      return;
    recorded_machine line;
    for (const auto& [name, value] : m["attributes"].items())
      line.attributes[name] = value.get<std::string>();
    line.name = name_for(m["name"], line.attributes);
    line.at_s = seconds(instant_in(m, "joined_ms"));
    line.capacity = demand_of(m);
    lines_.push_back(line);
    if (left == 0)
      return;
    line.at_s = seconds(left);
    line.capacity = {};
    lines_.push_back(std::move(line));
  }

  double seconds(std::int64_t ms) const {
    return static_cast<double>(std::max<std::int64_t>(0, ms - from_ms_)) / ms_per_s;
  }

  /// A machine of a trace has the same attributes all the time: with others, a node is another one.
  std::string name_for(const std::string& node, const std::map<std::string, std::string>& has) {
    auto& known = kinds_[node];
    const auto at = std::ranges::find(known, has);
    const auto number = at - known.begin();
    if (at == known.end())
      known.push_back(has);
    return number == 0 ? node : node + '#' + std::to_string(number + 1);
  }

  std::int64_t from_ms_;
  std::map<std::string, std::vector<std::map<std::string, std::string>>> kinds_;
  std::vector<recorded_machine> lines_;
};

} // namespace

recording record_jobs(job_api& api, std::int64_t from_ms) {
  job_recorder all{api, from_ms};
  const auto done = [&] {
    auto made = all.take();
    const auto from = made.head.from_ms;
    made.machines = machine_recorder{api.machines("?since=" + std::to_string(from)), from}.take();
    std::set<std::string> names;
    for (const auto& m : made.machines)
      names.insert(m.name);
    made.machine_count = names.size();
    return made;
  };
  all.made().head.to_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
  std::string before;
  for (;;) {
    const auto part = api.jobs(whole_page + (before.empty() ? "" : "&before=" + before));
    for (const auto& job : part["jobs"]) {
      if (job["submitted_ms"].get<std::int64_t>() < from_ms)
        return done();
      all.add(job);
    }
    if (part["before"].is_null())
      return done();
    before = part["before"].dump();
  }
}

} // namespace troupe
