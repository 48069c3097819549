#include "actors/plugin/scheduler_check.hpp"

#include "actors/plugin/settling_commit.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Returns a hash of what a commit asks for. What it acknowledges may differ when it is sent again.
std::uint64_t contents_of(const commit_request& request) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](auto value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001b3;
    hash ^= hash >> 29;
  };
  add(request.mode);
  add(request.settles);
  add(request.offers);
  add(request.placements.size());
  for (const auto& p : request.placements) {
    add(p.task.job);
    add(p.task.index);
    add(p.machine);
    add(p.seen_version);
    std::ranges::for_each(p.demand.amount, add);
    add(p.runtime.count());
    add(p.priority);
    add(p.tenant);
    add(p.preempts);
    add(p.estimate.count());
  }
  for (const auto& other : request.alternatives) {
    add(other.index);
    add(other.machine);
    add(other.seen_version);
  }
  return hash;
}

} // namespace

scheduler_check::scheduler_check(scheduler_id id, std::shared_ptr<const catalog> machines,
                                 std::vector<owner_id> owner_of, std::string label,
                                 fault_handler on_fault)
  : id_(id),
    machines_(std::move(machines)),
    owner_of_(std::move(owner_of)),
    label_(std::move(label)),
    on_fault_(std::move(on_fault)),
    sent_(owner_of_.empty() ? 0 : 1 + *std::ranges::max_element(owner_of_)) {}

void scheduler_check::fail(const std::string& what) {
  if (!failed_)
    on_fault_(label_ + ": scheduler " + std::to_string(id_) + " " + what);
  failed_ = true;
}

void scheduler_check::submitted(const submission& what) {
  const std::lock_guard lock{mutex_};
  for (const auto& j : what.jobs) {
    jobs_.emplace(j.id, std::pair{j, j.task_count()});
    for (std::uint32_t i = 0; i < j.task_count(); ++i)
      tasks_.emplace(task_id{j.id, i}, task_note{});
  }
}

const task_group* scheduler_check::group_of(const task_id& task) const {
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end())
    return nullptr;
  auto first = std::uint32_t{0};
  for (const auto& g : it->second.first.groups) {
    if (task.index - first < g.count)
      return &g;
    first += g.count;
  }
  return nullptr;
}

std::string scheduler_check::fault_of(owner_id owner, machine_id machine) const {
  if (machine >= machines_->machines())
    return "machine " + std::to_string(machine) + ", and there are machines 0 to " +
           std::to_string(machines_->machines() - 1) + " only";
  const auto right = owner_of_[machines_->place_of(machine).partition];
  if (right != owner)
    return "machine " + std::to_string(machine) + ", to owner " + std::to_string(owner) +
           "; it belongs to owner " + std::to_string(right);
  return {};
}

std::string scheduler_check::fault_of(owner_id owner, const placement& p) const {
  const auto text = "task " + to_string(p.task);
  if (auto fault = fault_of(owner, p.machine); !fault.empty())
    return text + " on " + fault;
  const auto it = tasks_.find(p.task);
  const auto* group = group_of(p.task);
  if (it == tasks_.end() || group == nullptr)
    return text + ", which it was not given, or which is over";
  if (it->second.at != where::queued)
    return text + " a second time: it " +
           (it->second.at == where::running ? "runs" : "is committed already") + " on machine " +
           std::to_string(it->second.machine);
  if (p.demand != group->demand)
    return text + " with a demand of " + to_string(p.demand) + "; it asks for " +
           to_string(group->demand);
  if (const auto fault = fault_of_order(p.task); !fault.empty())
    return text + fault;
  const auto& capacity = machines_->machine(p.machine).capacity;
  if (!capacity.fits(p.demand))
    return text + " on machine " + std::to_string(p.machine) + ", which has " +
           to_string(capacity) + "; the task asks for " + to_string(p.demand);
  return {};
}

/// Returns which task is not over that a task waits for, or nothing. One that is queued may have
/// been given up.
std::string scheduler_check::fault_of_order(const task_id& task) const {
  const auto* group = group_of(task);
  for (const auto before : group->after) {
    const auto& groups = jobs_.at(task.job).first.groups;
    std::uint32_t first = 0;
    for (std::uint32_t g = 0; g < before; ++g)
      first += groups[g].count;
    for (auto i = first; i < first + groups[before].count; ++i) {
      const auto it = tasks_.find({task.job, i});
      if (it != tasks_.end() && it->second.at != where::queued)
        return " before task " + to_string(task_id{task.job, i}) +
               " is over, for which it waits: that one is on machine " +
               std::to_string(it->second.machine);
    }
  }
  return {};
}

/// Returns what is wrong with a commit whose number is not higher than all before.
std::string scheduler_check::fault_of(const sent_commits& sent, const commit_request& request) {
  const auto known = sent.contents.find(request.id);
  if (known == sent.contents.end())
    return " after number " + std::to_string(sent.latest) +
           (request.id < sent.answered_below ? ", and has said that it was answered" : "") +
           "; expected a higher number, or a commit without an answer as it was";
  if (known->second != contents_of(request))
    return " again, and asks for something else; expected a higher number, or the same commit";
  return {};
}

/// Returns what is wrong with a commit that is to settle what another one holds.
std::string scheduler_check::fault_of(owner_id owner, const commit_request& request) const {
  if (!settles(request.mode))
    return {};
  const auto what = "asks owner " + std::to_string(owner) + " to " + to_string(request.mode) +
                    " commit " + std::to_string(request.settles);
  const auto it = commits_.find({owner, request.settles});
  if (it == commits_.end() || !it->second.held)
    return what + ", which holds nothing";
  const auto is_held = [&](const placement& p) {
    const auto task = tasks_.find(p.task);
    return task != tasks_.end() && task->second.machine == p.machine;
  };
  const bool same =
    std::ranges::equal(request.placements, it->second.tasks, {}, &placement::task) &&
    std::ranges::all_of(request.placements, is_held);
  return same ? "" : what + " with other placements than it holds";
}

bool scheduler_check::admits(owner_id owner, const commit_request& request) {
  const std::lock_guard lock{mutex_};
  if (failed_)
    return false;
  if (request.scheduler != id_)
    fail("commits in the name of scheduler " + std::to_string(request.scheduler));
  if (failed_)
    return false;
  auto& sent = sent_[owner];
  sent.answered_below = std::max(sent.answered_below, request.answered_below);
  sent.contents.erase(sent.contents.begin(), sent.contents.lower_bound(sent.answered_below));
  const auto known = commits_.find({owner, request.id});
  if (known != commits_.end() && known->second.held)
    return true; // it says that what is held is still wanted
  if (request.id <= sent.latest) {
    if (auto fault = fault_of(sent, request); !fault.empty())
      fail("commits number " + std::to_string(request.id) + " to owner " + std::to_string(owner) +
           fault);
    return !failed_; // it was sent again
  }
  if (const auto fault = fault_of(owner, request); !fault.empty()) {
    fail(fault);
    return false;
  }
  const commit_key key{owner, request.id};
  for (const auto& other : request.alternatives)
    if (const auto fault = fault_of(owner, other.machine); !fault.empty()) {
      fail("offers as an alternative " + fault);
      return false;
    }
  if (settles(request.mode))
    commits_.erase({owner, request.settles});
  auto& commit = commits_[key];
  commit.mode = request.mode;
  for (const auto& p : request.placements) {
    if (const auto fault = settles(request.mode) ? "" : fault_of(owner, p); !fault.empty()) {
      fail("commits " + fault);
      return false;
    }
    tasks_[p.task] = {where::in_commit, p.machine, key};
    commit.tasks.push_back(p.task);
  }
  sent.latest = request.id;
  sent.contents.emplace(request.id, contents_of(request));
  return true;
}

void scheduler_check::answered(const commit_reply& reply) {
  const std::lock_guard lock{mutex_};
  const auto commit = commits_.find({reply.owner, reply.id});
  if (commit == commits_.end() || commit->second.held)
    return;
  const auto& tasks = commit->second.tasks;
  commit->second.held = commit->second.mode == commit_mode::hold && reply.rejections.empty();
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    const auto it = tasks_.find(tasks[i]);
    if (it == tasks_.end() || it->second.at != where::in_commit ||
        it->second.commit != commit->first)
      continue; // its end came first
    const bool refused =
      std::ranges::find(reply.rejections, i, &rejection::index) != reply.rejections.end();
    if (!commit->second.held)
      it->second.at = refused ? where::queued : where::running;
    const auto other = std::ranges::find(reply.diversions, i, &diversion::index);
    if (other != reply.diversions.end())
      it->second.machine = other->machine;
  }
  if (!commit->second.held)
    commits_.erase(commit);
}

void scheduler_check::over(const task_end& end) {
  const auto it = tasks_.find(end.task);
  if (it == tasks_.end())
    return;
  if (end.outcome == task_outcome::lost || end.outcome == task_outcome::preempted) {
    it->second.at = where::queued;
    return;
  }
  tasks_.erase(it);
  const auto of = jobs_.find(end.task.job);
  if (--of->second.second == 0)
    jobs_.erase(of);
}

void scheduler_check::reported(const task_report& report) {
  const std::lock_guard lock{mutex_};
  for (const auto& end : report.ends)
    over(end);
  for (const auto& gone : report.preempted)
    if (const auto it = tasks_.find(gone.task); it != tasks_.end())
      it->second.at = where::queued;
}

void scheduler_check::heard(const task_news& news) {
  const std::lock_guard lock{mutex_};
  for (const auto& start : news.started) {
    const auto it = tasks_.find(start.task);
    if (it != tasks_.end() && it->second.at == where::queued) {
      it->second = {where::running, start.machine, {}};
      if (const auto fault = fault_of_order(start.task); !fault.empty())
        fail("has started task " + to_string(start.task) + " on machine " +
             std::to_string(start.machine) + fault);
    } else
      fail("has started task " + to_string(start.task) + " on machine " +
           std::to_string(start.machine) +
           (it == tasks_.end()
              ? ", which it was not given, or which is over"
              : " a second time: it runs on machine " + std::to_string(it->second.machine)));
  }
  for (const auto& end : news.ended)
    over(end);
}

bool scheduler_check::passes() {
  const std::lock_guard lock{mutex_};
  return !failed_;
}

void scheduler_check::refuse(const std::string& what) {
  const std::lock_guard lock{mutex_};
  fail(what);
}

void scheduler_check::ended(const std::string& reason) {
  const std::lock_guard lock{mutex_};
  fail("has ended: " + reason);
}

} // namespace troupe
