#include "nodes/execution/command_executor.hpp"

#include "model/base/log.hpp"
#include "process/base/host_clock.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <poll.h>
#include <stdexcept>
#include <sys/eventfd.h>

namespace troupe {

namespace {

constexpr std::int64_t exchange_millisecond = 1'000'000;
/// How often the service is asked for news while commands run.
constexpr std::int64_t news_interval = 200 * exchange_millisecond;
/// The same while none do.
constexpr std::int64_t idle_interval = 5'000 * exchange_millisecond;
/// How often all running attempts are named, which renews their leases.
constexpr std::int64_t running_interval = 1'000 * exchange_millisecond;
/// After a question that failed, and for tasks that have to wait.
constexpr std::int64_t question_pause = 300 * exchange_millisecond;
/// How often commands are looked at whose supervisors have told nothing.
constexpr std::int64_t commands_looked_at = 1'000 * exchange_millisecond;
constexpr std::int64_t clean_interval = 60'000 * exchange_millisecond;
/// At the end of the node, between SIGTERM and SIGKILL.
constexpr std::int64_t last_grace_ms = 2'000;
constexpr std::int64_t commands_patience = 10'000 * exchange_millisecond;

} // namespace

command_executor::command_executor(command_executor_config config)
  : config_(std::move(config)),
    wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
    attempts_(*config_.folders, config_.rules),
    service_(config_.ask, [this] { wake_thread(); }) {
  adopted_->set(attempts_.adopted_use());
  thread_ = std::thread{[this] { work(); }};
}

command_executor::~command_executor() {
  end();
}

void command_executor::end() {
  {
    const std::lock_guard lock{mutex_};
    if (std::exchange(stops_, true))
      return;
  }
  wake_thread();
  thread_.join();
}

// -- called by machines and their node -----------------------------------------------------------

run_number command_executor::start(machine_id machine, const launch_order& order, instant now) {
  run_number number = 0;
  {
    const std::lock_guard lock{mutex_};
    number = runs_.start(machine, order);
    if (order.by_scheduler)
      runs_.note_scheduler_start(machine, order, now);
    if (order.by_scheduler && node_)
      caf::anon_send(node_, wake_atom_v);
  }
  wake_thread();
  return number;
}

void command_executor::kill(machine_id, run_number run) {
  {
    const std::lock_guard lock{mutex_};
    if (const auto which = runs_.kill(run, config_.now()))
      kills_.push_back({*which});
    else if (node_)
      caf::anon_send(node_, wake_atom_v);
  }
  wake_thread();
}

void command_executor::refuse(machine_id machine, const launch_order& order) {
  log::error("machine {} has no room for task {} that asks for {}", machine, to_string(order.task),
             to_string(order.demand));
  const std::lock_guard lock{mutex_};
  runs_.count_refused_launch();
}

bool command_executor::has_ended(run_number run) const {
  const std::lock_guard lock{mutex_};
  return runs_.has_ended(run);
}

void command_executor::attach(node_actor node) {
  const std::lock_guard lock{mutex_};
  node_ = std::move(node);
}

instant command_executor::next_due() {
  const std::lock_guard lock{mutex_};
  return runs_.has_ends() ? config_.now() : instant::max();
}

void command_executor::take_due(instant, std::vector<task_end_queue::entry>& out) {
  const std::lock_guard lock{mutex_};
  const auto ends = runs_.take_ends();
  out.insert(out.end(), ends.begin(), ends.end());
}

void command_executor::take_started(std::vector<started_task>& out) {
  const std::lock_guard lock{mutex_};
  const auto started = runs_.take_started();
  out.insert(out.end(), started.begin(), started.end());
}

node_status command_executor::status() {
  const std::lock_guard lock{mutex_};
  return runs_.status();
}

std::vector<std::uint64_t> command_executor::starts_by_group() {
  const std::lock_guard lock{mutex_};
  return runs_.starts_by_group();
}

// -- the thread ----------------------------------------------------------------------------------

bool command_executor::is_stopping() const {
  const std::lock_guard lock{mutex_};
  return stops_;
}

void command_executor::wake_thread() const {
  eventfd_write(wake_.get(), 1);
}

void command_executor::work() {
  while (!is_stopping()) {
    wait_for_something();
    pass();
  }
  if (service_.is_asking())
    hear(service_.wait()); // what it permits has to be known by its supervisors
  if (!config_.keeps_commands)
    end_all();
}

void command_executor::wait_for_something() {
  const auto now = boot_clock_ns();
  auto until = looked_at_ + commands_looked_at;
  if (!service_.is_asking())
    until = std::min(until, exchange_at_);
  until = std::max(until, now);
  pollfd on[] = {{wake_.get(), POLLIN, 0}, {attempts_.fd(), POLLIN, 0}};
  poll(on, 2, static_cast<int>((until - now + exchange_millisecond - 1) / exchange_millisecond));
  eventfd_t ignored = 0;
  eventfd_read(wake_.get(), &ignored);
}

/// What has come since the last time.
void command_executor::pass() {
  const auto now = boot_clock_ns();
  attempts_.look();
  if (now - looked_at_ >= commands_looked_at) {
    looked_at_ = now;
    attempts_.look_at_all();
  }
  if (now - cleaned_at_ >= clean_interval) {
    cleaned_at_ = now;
    clean();
  }
  carry_out_kills();
  tell_ends();
  if (const auto reply = service_.take())
    hear(*reply);
  if (!service_.is_asking())
    exchange(now);
}

/// Removes what old attempts have left, beside this thread, which renews leases: a disk may be
/// slow.
void command_executor::clean() {
  if (cleaning_.valid() && cleaning_.wait_for(std::chrono::seconds{0}) != std::future_status::ready)
    return;
  cleaning_ = std::async(std::launch::async, [of = config_.folders, age = config_.keeps_output] {
    of->remove_older_than(age);
  });
}

void command_executor::carry_out_kills() {
  const auto kills = [&] {
    const std::lock_guard lock{mutex_};
    return std::exchange(kills_, {});
  }();
  for (const auto& k : kills)
    attempts_.stop(k.which, k.reason, last_grace_ms);
}

/// Tells the machines which of their tasks have ended.
void command_executor::tell_ends() {
  const auto ended = attempts_.take_ended();
  if (!ended.empty())
    adopted_->set(attempts_.adopted_use());
  const std::lock_guard lock{mutex_};
  for (const auto& [which, succeeded] : ended)
    runs_.end(which, succeeded, config_.now());
  if (runs_.has_ends() && node_)
    caf::anon_send(node_, wake_atom_v);
}

void command_executor::exchange(std::int64_t now) {
  work_report report;
  report.node = config_.node;
  report.boot = config_.boot;
  report.machine_state = config_.folders->id();
  {
    const std::lock_guard lock{mutex_};
    report.wants = runs_.wanted();
  }
  report.ended = attempts_.unseen();
  const bool is_new =
    std::ranges::any_of(report.wants, [&](const task_id& t) { return !asked_.contains(t); }) ||
    std::ranges::any_of(report.ended,
                        [&](const attempt_end& e) { return !told_.contains(e.which); });
  if (now < exchange_at_ && (!is_new || failing_))
    return;
  if (now - running_told_ >= running_interval) {
    running_told_ = now;
    report.running = attempts_.running();
  }
  asked_ns_ = now;
  service_.ask(std::move(report));
}

void command_executor::hear(const service_connection::reply& reply) {
  if (!reply.answer) {
    if (!std::exchange(failing_, true))
      log::warn("node {}: the job service does not answer: {}", config_.node, reply.error);
    exchange_at_ = boot_clock_ns() + question_pause;
    running_told_ = 0;
    return;
  }
  apply(*reply.answer, asked_ns_);
  if (std::exchange(failing_, false))
    log::info("node {}: the job service answers again", config_.node);
  told_.clear();
  for (const auto& e : reply.asked.ended)
    told_.insert(e.which);
  exchange_at_ = boot_clock_ns() + pause_after(reply.asked);
}

std::int64_t command_executor::pause_after(const work_report& report) const {
  if (!report.wants.empty() || !attempts_.unseen().empty())
    return question_pause;
  return attempts_.any_runs() ? news_interval : idle_interval;
}

void command_executor::apply(const work_answer& answer, std::int64_t asked_ns) {
  for (const auto& which : answer.seen)
    attempts_.seen(which);
  for (const auto& which : answer.renewed)
    attempts_.renew(which, asked_ns);
  for (const auto& stop : answer.stops)
    attempts_.stop(stop.which, stop.reason, stop.grace_ms);
  asked_.clear();
  for (const auto& permit : answer.permits)
    take_permit(permit, asked_ns);
  tell_ends();
}

void command_executor::take_permit(const start_permit& permit, std::int64_t asked_ns) {
  if (permit.verdict == start_verdict::wait) {
    asked_.insert(permit.as);
    return;
  }
  if (permit.verdict == start_verdict::refuse) {
    const std::lock_guard lock{mutex_};
    return runs_.refuse(permit.as, config_.now());
  }
  if (attempts_.has_ended(permit.which)) { // the service has not heard of that yet
    asked_.insert(permit.as);
    return;
  }
  attempt_spec spec;
  try {
    spec = read_attempt_spec(permit.spec);
  } catch (const std::invalid_argument& e) {
    log::error("node {}: task {}: {}", config_.node, to_string(permit.as), e.what());
    spec.argv = {"?"}; // does not start, and the service is told
    spec.which = permit.which;
  }
  {
    const std::lock_guard lock{mutex_};
    switch (runs_.begin(permit.as, permit.which)) {
    case run_table::beginning::begun:
      break;
    case run_table::beginning::unwanted:
      kills_.push_back({permit.which, end_reason::preempted});
      break;
    case run_table::beginning::too_early:
      asked_.insert(permit.as);
      return;
    }
  }
  attempts_.start(spec, asked_ns);
  carry_out_kills();
}

/// Ends all commands with the node. Ends that the service does not hear now are told when the node
/// is started again.
void command_executor::end_all() {
  for (const auto& which : attempts_.running())
    attempts_.stop(which, end_reason::drain, last_grace_ms);
  const auto until = boot_clock_ns() + commands_patience;
  while (attempts_.any_runs() && boot_clock_ns() < until) {
    pollfd on{attempts_.fd(), POLLIN, 0};
    poll(&on, 1, static_cast<int>(news_interval / exchange_millisecond));
    attempts_.look(); // takes the notes, for which poll would return at once
    attempts_.look_at_all();
  }
  try {
    work_report last{config_.node, config_.boot, config_.folders->id(), {}, {}, attempts_.unseen()};
    if (!last.ended.empty())
      apply(config_.ask(last), boot_clock_ns());
  } catch (const std::runtime_error&) { // told when the node is started again
    return;
  }
}

} // namespace troupe
