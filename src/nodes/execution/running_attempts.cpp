#include "nodes/execution/running_attempts.hpp"

#include "model/base/log.hpp"
#include "process/attempt/lost_command.hpp"
#include "process/base/host_clock.hpp"
#include "process/base/planted_command_fault.hpp"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

constexpr std::int64_t boot_millisecond = 1'000'000;
constexpr const char* supervisors_log = "supervisors.log";

/// The command has stopped before the job service counts the lease as over.
std::int64_t deadline_of(std::int64_t asked_ns, std::int64_t lease_ns) {
  return lease_ns == 0 ? attempt_page::forever : asked_ns + lease_ns / 10 * 9;
}

resources asked_for(const command_spec& spec) {
  constexpr std::int64_t mebibyte = 1 << 20;
  resources r;
  r[resource::cpu] = static_cast<std::int32_t>(std::lround(spec.cpu * 1000));
  r[resource::memory] = static_cast<std::int32_t>((spec.memory_bytes + mebibyte - 1) / mebibyte);
  r[resource::gpu] = spec.gpu_milli;
  r[resource::slots] = spec.slots;
  return r;
}

command_end ended_now(end_reason reason, std::string detail = {}) {
  command_end how;
  how.reason = reason;
  how.ended_ns = host_utc_ns();
  how.detail = std::move(detail);
  return how;
}

attempt_end end_of(const attempt_key& which, const command_end& how) {
  attempt_end end;
  end.which = which;
  end.reason = how.reason;
  end.exit_code = how.exit_code;
  end.signal = how.signal;
  end.core = how.core;
  end.oom = how.oom;
  end.started_ns = how.started_ns;
  end.ended_ns = how.ended_ns;
  end.user_us = how.user_us;
  end.system_us = how.system_us;
  end.max_rss_bytes = how.max_rss_bytes;
  end.out_bytes = how.out_bytes;
  end.err_bytes = how.err_bytes;
  end.detail = how.detail;
  return end;
}

} // namespace

running_attempts::running_attempts(const task_folders& folders, command_rules rules)
  : folders_(folders),
    rules_(std::move(rules)),
    client_(rules_.supervise, folders.path(), folders.path() / supervisors_log) {
  for (const auto& which : folders_.open_ones())
    adopt(which);
}

void running_attempts::adopt(const attempt_key& which) {
  auto& a = attempts_[which];
  try {
    a.page = folders_.of(which).page();
    const auto spec = parse_command_spec(a.page->spec());
    a.lease_ns = spec.lease_ms * boot_millisecond;
    a.adopted = asked_for(spec);
  } catch (const unknown_page& e) {
    log::error("task {}: {}; it goes on until its lease is over", to_string(which), e.what());
    return;
  } catch (const std::exception& e) {
    // The node was killed before it had made the folder.
    return close(which, a, ended_now(end_reason::supervisor_lost, e.what()));
  }
  if (!a.page->end() && !a.page->is_of_this_boot())
    return close(which, a, ended_now(end_reason::reboot));
  if (planted(command_fault::adopted_as_lost))
    return close(which, a, ended_now(end_reason::supervisor_lost));
  if (planted(command_fault::adopted_as_done)) {
    a.page->set_deadline(0);
    auto done = ended_now(end_reason::none);
    done.exit_code = 0;
    return close(which, a, done);
  }
  log::info("task {} was started by an earlier process of this node", to_string(which));
  // The earlier process has asked for its supervisor; this one does not ask again.
  a.began_ns = boot_clock_ns() - supervisor_patience() * 2 / 3;
  look_at(which, a);
}

/// The start of a command is tried again for this time, in ns.
std::int64_t running_attempts::room_patience() const {
  return rules_.room_patience_ms * boot_millisecond;
}

/// The node waits for the supervisor of a command for this time, in ns.
std::int64_t running_attempts::supervisor_patience() const {
  return rules_.supervisor_patience_ms * boot_millisecond;
}

command_spec running_attempts::command_of(const attempt_spec& spec) const {
  command_spec command;
  command.argv = spec.argv;
  command.env = rules_.env;
  for (const auto& [name, value] : spec.env)
    command.env[name] = value;
  command.dir = spec.dir;
  command.time_limit_ms = spec.time_limit_ms;
  command.grace_ms = spec.grace_ms;
  command.output_limit_bytes = static_cast<std::uint64_t>(spec.output_limit_bytes);
  command.memory_bytes = spec.memory_bytes;
  command.cpu = spec.cpu;
  command.gpu_milli = spec.gpu_milli;
  command.slots = spec.slots;
  command.lease_ms = spec.lease_ms;
  command.start_patience_ms = rules_.room_patience_ms;
  command.user = rules_.user;
  if (rules_.groups)
    command.control_group = control_group_of(spec.which);
  return command;
}

std::string running_attempts::control_group_of(const attempt_key& which) const {
  return (rules_.groups->directory / (folders_.id() + '-' + to_string(which))).string();
}

bool running_attempts::has_ended(const attempt_key& which) const {
  const auto it = attempts_.find(which);
  return it != attempts_.end() && it->second.end;
}

void running_attempts::start(const attempt_spec& spec, std::int64_t asked_ns) {
  const auto [it, is_new] = attempts_.try_emplace(spec.which);
  if (!is_new)
    return;
  auto& a = it->second;
  a.lease_ns = spec.lease_ms * boot_millisecond;
  a.began_ns = boot_clock_ns();
  a.asked_ns = asked_ns;
  try_to_start(spec, a);
}

void running_attempts::try_to_start(const attempt_spec& spec, attempt& a) {
  const auto folder = folders_.of(spec.which);
  std::error_code none;
  if (std::filesystem::exists(folder.path(), none))
    return close(spec.which, a,
                 ended_now(end_reason::exec_failed, folder.path().string() + " is there already"));
  try {
    a.page = folder.create(command_of(spec), deadline_of(a.asked_ns, a.lease_ns));
    client_.start(to_string(spec.which));
  } catch (const std::exception& e) {
    if (a.page) // a supervisor that comes after all finds that the lease is over
      a.page->set_deadline(0);
    a.page.reset();
    std::filesystem::remove_all(folder.path(), none); // what was made would be in the way
    if (boot_clock_ns() - a.began_ns >= room_patience()) {
      a.unmade.reset();
      return close(spec.which, a, ended_now(end_reason::host_failed, e.what()));
    }
    if (!std::exchange(a.unmade, spec))
      log::error("task {}: {}; tried again for {} s", to_string(spec.which), e.what(),
                 rules_.room_patience_ms / 1000);
    return;
  }
  a.unmade.reset();
  a.began_ns = boot_clock_ns();
}

void running_attempts::stop(const attempt_key& which, end_reason reason, std::int64_t grace_ms) {
  const auto [it, is_new] = attempts_.try_emplace(which);
  const bool is_question = reason == end_reason::host_failed;
  if (is_new)
    it->second.end = end_of(which, is_question ? unknown_here(which) : ended_now(reason));
  else if (is_question)
    return;
  if (it->second.unmade) {
    it->second.unmade.reset();
    return close(which, it->second, ended_now(reason));
  }
  if (it->second.end || !it->second.page)
    return;
  it->second.page->stop({reason, grace_ms});
  it->second.page->wake();
}

/// The end of an attempt that the job service takes for one of this node.
command_end running_attempts::unknown_here(const attempt_key& which) const {
  std::error_code none;
  if (std::filesystem::exists(folders_.of(which).path(), none)) // the service has seen its end
    return ended_now(end_reason::supervisor_lost);
  return ended_now(end_reason::host_failed, "its node never heard of it");
}

void running_attempts::renew(const attempt_key& which, std::int64_t asked_ns) {
  const auto it = attempts_.find(which);
  if (it != attempts_.end())
    it->second.asked_ns = asked_ns;
  if (it != attempts_.end() && it->second.page && !it->second.end && !it->second.lost)
    it->second.page->set_deadline(deadline_of(asked_ns, it->second.lease_ns));
}

void running_attempts::look() {
  for (const auto& n : client_.take_notes())
    if (const auto which = parse_attempt_key(n.name))
      if (const auto it = attempts_.find(*which); it != attempts_.end())
        look_at(it->first, it->second);
}

void running_attempts::look_at_all() {
  for (auto& [which, a] : attempts_)
    look_at(which, a);
}

void running_attempts::look_at(const attempt_key& which, attempt& a) {
  if (a.end)
    return;
  if (a.unmade)
    return try_to_start(attempt_spec{*a.unmade}, a);
  if (!a.page) { // one of another version: all that can be known is whether it goes on
    if (!attempt_page::is_held(folders_.of(which).state()))
      lose(which, a);
    return;
  }
  // In this order: a supervisor writes the end before it lets the page go.
  const bool held = a.page->is_held();
  if (const auto how = a.page->end()) {
    const bool too_late = a.lost && how->reason == end_reason::lease && how->started_ns == 0;
    return close(which, a, too_late ? never_begun() : *how);
  }
  const bool begun = a.page->at() == attempt_page::phase::running;
  if (!held && (begun || a.lost || boot_clock_ns() - a.began_ns > supervisor_patience()))
    lose(which, a);
}

command_end running_attempts::never_begun() const {
  return ended_now(end_reason::host_failed,
                   "no supervisor began within " +
                     std::to_string(rules_.supervisor_patience_ms / 1000) +
                     " s; the host may be very busy, or its table of processes full: see " +
                     (folders_.path() / supervisors_log).string());
}

/// The attempt has no supervisor any more. It ends once none of its processes is left, since the
/// next attempt may begin then.
void running_attempts::lose(const attempt_key& which, attempt& a) {
  const bool is_new = !std::exchange(a.lost, true);
  if (a.page && is_new) {
    a.page->set_deadline(0);
    if (a.page->is_held()) // one that came at the last moment finds that the lease is over
      return a.page->wake();
  }
  lost_command lost{folders_.of(which)};
  try {
    if (a.page)
      lost = lost_command_of(lost.folder, *a.page);
    else if (rules_.groups)
      lost.control_group = control_group_of(which);
  } catch (const std::exception& e) {
    log::error("task {}: {}", to_string(which), e.what());
  }
  if (end_lost_command(lost))
    return close(which, a,
                 a.page && !a.page->was_held() ? never_begun()
                                               : ended_now(end_reason::supervisor_lost));
  if (is_new)
    log::error("task {}: its supervisor is gone, and processes of its command cannot be killed "
               "yet; the task is not over before they are",
               to_string(which));
}

void running_attempts::close(const attempt_key& which, attempt& a, const command_end& how) {
  a.end = end_of(which, how);
  newly_ended_.push_back({which, how.reason == end_reason::none && how.exit_code == 0});
}

std::vector<attempt_key> running_attempts::running() const {
  std::vector<attempt_key> all;
  for (const auto& [which, a] : attempts_)
    if (!a.end)
      all.push_back(which);
  return all;
}

std::vector<running_attempts::ended> running_attempts::take_ended() {
  return std::exchange(newly_ended_, {});
}

std::vector<attempt_end> running_attempts::unseen() const {
  std::vector<attempt_end> all;
  for (const auto& [_, a] : attempts_)
    if (a.end)
      all.push_back(*a.end);
  return all;
}

void running_attempts::seen(const attempt_key& which) {
  const auto it = attempts_.find(which);
  if (it == attempts_.end() || !it->second.end)
    return;
  folders_.mark_seen(which);
  attempts_.erase(it);
}

resources running_attempts::adopted_use() const {
  resources sum;
  for (const auto& [_, a] : attempts_)
    if (!a.end)
      sum += a.adopted;
  return sum;
}

bool running_attempts::any_runs() const {
  for (const auto& [_, a] : attempts_)
    if (!a.end)
      return true;
  return false;
}

} // namespace troupe
