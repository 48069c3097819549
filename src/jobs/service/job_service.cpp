#include "jobs/service/job_service.hpp"

#include "model/base/log.hpp"
#include "process/base/planted_command_fault.hpp"

#include <algorithm>
#include <future>

namespace troupe {

namespace {

constexpr auto cleaning_interval = std::chrono::seconds{60};
constexpr auto machine_cleaning_interval = std::chrono::hours{1};
constexpr auto load_interval = std::chrono::seconds{1};
constexpr auto longest_sleep = std::chrono::milliseconds{500};
constexpr std::size_t forgotten_at_once = 20;

} // namespace

service_clock service_clock::real() {
  return {[] {
            return std::chrono::duration_cast<instant>(
              std::chrono::steady_clock::now().time_since_epoch());
          },
          [] {
            return std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
              .count();
          }};
}

job_service::job_service(std::shared_ptr<job_database> store, service_options options)
  : store_(std::move(store)), options_(std::move(options)) {
  std::unique_lock lock{mutex_};
  auto stored = store_->load();
  kept_policies_ = std::exchange(stored.policies, {});
  kept_machines_ = std::exchange(stored.machines, {});
  start_book(std::move(stored));
  next_machine_cleaning_ = now().steady + machine_cleaning_interval;
  flush_once(lock);
  if (health_ == health::has_to_load)
    throw store_away{"the store cannot be written"};
  if (health_ == health::broken)
    throw store_broken{"the store cannot be written"};
  if (options_.own_thread)
    thread_ = std::thread{[this] { run(); }};
}

job_service::~job_service() {
  {
    const std::lock_guard lock{mutex_};
    stop_ = true;
    wakes_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
  for (const auto& then : std::exchange(actions_, {}))
    then(false);
  answer_waiters(std::exchange(waiters_, {}));
}

service_time job_service::now() const {
  return {options_.clock.steady(), options_.clock.utc_ms()};
}

void job_service::start_book(live_jobs stored) {
  // The new book hands out anew what schedulers still have from the old one. Numbers that are not
  // durable have not left this service, and the new book uses them.
  if (book_)
    std::ranges::copy(book_->handed_out_below(stored.next_scheduler_job),
                      std::back_inserter(withdrawn_));
  book_ = std::make_unique<work_book>(std::move(stored), now(), options_.tenants);
  new_jobs_.clear();
  new_keys_.clear();
  changed_ = true;
}

std::vector<job> job_service::take_new() {
  const std::lock_guard lock{mutex_};
  return std::exchange(new_jobs_, {});
}

std::vector<job_id> job_service::take_withdrawn() {
  const std::lock_guard lock{mutex_};
  return std::exchange(withdrawn_, {});
}

void job_service::on_new(std::function<void()> call) {
  const std::lock_guard lock{mutex_};
  on_new_ = std::move(call);
}

bool job_service::available() const {
  const std::lock_guard lock{mutex_};
  return health_ == health::works;
}

std::optional<tenant_limit> job_service::limit_of(const std::string& tenant) const {
  // Jobs of other tenants count for the first one.
  const auto counts_for = [&](const std::string& t) {
    const bool is_known = std::ranges::find(options_.tenants, t) != options_.tenants.end();
    return is_known || options_.tenants.empty() ? t : options_.tenants.front();
  };
  const auto name = counts_for(tenant);
  const auto max = options_.maxima.find(name);
  if (max == options_.maxima.end())
    return std::nullopt;
  tenant_limit limit{name, max->second, {}};
  const std::lock_guard lock{mutex_};
  for (const auto& [t, used] : book_->used())
    if (counts_for(t) == name)
      limit.used += used;
  return limit;
}

std::map<std::uint64_t, queued_job>
job_service::queued_among(const std::vector<std::uint64_t>& ids) const {
  std::map<std::uint64_t, queued_job> found;
  const std::lock_guard lock{mutex_};
  for (const auto id : ids)
    if (const auto* const j = book_->find(id); j != nullptr && j->row.state == job_state::queued)
      found.emplace(id, queued_job_of(*j));
  return found;
}

std::uint64_t job_service::open_attempts() const {
  const std::lock_guard lock{mutex_};
  return book_->open_attempts();
}

void job_service::hear(const work_report& report, std::function<void(work_answer)> answer) {
  std::unique_lock lock{mutex_};
  if (health_ != health::works) {
    // A granted attempt stays open in the store until its end is booked. Its lease begins anew,
    // later than here, when the store is read again.
    work_answer only;
    if (store_->is_held()) // else another service may have given it up
      only.renewed = book_->open_among(report.running);
    lock.unlock();
    answer(std::move(only));
    return;
  }
  auto told = std::make_shared<work_answer>(book_->hear(report, now()));
  after(lock, [told, answer = std::move(answer)](bool durable) {
    answer(durable ? std::move(*told) : work_answer{});
  });
}

work_answer job_service::hear(const work_report& report) {
  std::promise<work_answer> told;
  hear(report, [&](work_answer answer) { told.set_value(std::move(answer)); });
  return told.get_future().get();
}

void job_service::after(std::unique_lock<std::mutex>& lock, action then) {
  if (health_ != health::works) {
    lock.unlock();
    return then(false);
  }
  actions_.push_back(std::move(then));
  changed_ = true;
  if (options_.own_thread)
    wakes_.notify_all();
  else
    flush(lock);
}

void job_service::flush(std::unique_lock<std::mutex>& lock) {
  // A callback may have called: the outer call goes on.
  while (changed_ && !committing_ && health_ == health::works)
    flush_once(lock);
}

void job_service::flush_once(std::unique_lock<std::mutex>& lock) {
  changed_ = false;
  auto changes = book_->take_changes();
  for (auto& [_, row] : std::exchange(new_policies_, {}))
    if (!planted(command_fault::unstored_policies))
      changes.policies.push_back(std::move(row));
  for (auto& [_, row] : std::exchange(new_machines_, {}))
    changes.machines.push_back(std::move(row));
  changes.machines_before_ms = std::exchange(forgets_machines_before_, std::nullopt);
  auto orders = book_->take_orders();
  const auto ended = book_->take_ended();
  auto actions = std::exchange(actions_, {});
  committing_ = true;
  std::string failure;
  bool for_good = false;
  if (!changes.empty()) {
    const auto under_way = new_keys_;
    const auto forgotten = changes.forgotten;
    lock.unlock();
    try {
      store_->commit(changes);
    } catch (const store_full& e) {
      failure = e.what();
    } catch (const store_away& e) {
      failure = e.what();
    } catch (const std::exception& e) {
      failure = e.what();
      for_good = true;
    }
    lock.lock();
    for (const auto& [key, _] : under_way)
      new_keys_.erase(key);
    for (const auto id : forgotten)
      being_forgotten_.erase(id);
  }
  committing_ = false;
  if (failure.empty() && !store_->is_held())
    failure = "another process may have the store";
  if (!failure.empty())
    return fail(lock, std::move(actions), for_good, failure);
  book_->forget_ended(ended);
  std::ranges::move(orders.made, std::back_inserter(new_jobs_));
  std::ranges::move(orders.withdrawn, std::back_inserter(withdrawn_));
  const bool news = !new_jobs_.empty() || !withdrawn_.empty();
  auto due = due_waiters(ended);
  const auto call = news ? on_new_ : nullptr;
  lock.unlock();
  for (const auto& then : actions)
    then(true);
  answer_waiters(std::move(due));
  if (call)
    call();
  lock.lock();
}

void job_service::fail(std::unique_lock<std::mutex>& lock, std::vector<action> actions,
                       bool for_good, const std::string& why) {
  // What was decided since then builds on what is not durable.
  std::ranges::move(std::exchange(actions_, {}), std::back_inserter(actions));
  new_keys_.clear();
  new_policies_.clear();
  new_machines_.clear();
  being_forgotten_.clear();
  changed_ = false;
  health_ = for_good ? health::broken : health::has_to_load;
  next_load_ = now().steady + load_interval;
  const auto call = for_good ? options_.on_broken : nullptr;
  lock.unlock();
  log::error("{}; {}", why,
             for_good ? "jobs are not accepted until the program is started again"
                      : "jobs are not accepted until it works again");
  for (const auto& then : actions)
    then(false);
  if (call)
    call(why);
  lock.lock();
}

void job_service::run() {
  std::unique_lock lock{mutex_};
  while (!stop_) {
    flush(lock);
    if (stop_)
      return;
    lock.unlock();
    tick();
    lock.lock();
    if (changed_ || stop_)
      continue;
    auto until = now().steady + longest_sleep;
    for (const auto& w : waiters_)
      until = std::min(until, w.deadline);
    if (const auto lease = book_->next_due())
      until = std::min(until, *lease);
    const auto span = std::max<duration>(until - now().steady, std::chrono::milliseconds{1});
    wakes_.wait_for(lock, span, [this] { return stop_ || (changed_ && health_ == health::works); });
  }
}

/// Goes on with what the store has, if it answers. Others are refused meanwhile, and do not wait.
void job_service::load_again(std::unique_lock<std::mutex>& lock) {
  next_load_ = now().steady + load_interval;
  lock.unlock();
  std::optional<live_jobs> stored;
  std::string broken;
  try {
    stored = store_->load();
  } catch (const store_away&) { // it was said when that began
  } catch (const std::exception& e) {
    broken = e.what();
  }
  lock.lock();
  if (!broken.empty())
    return fail(lock, {}, true, broken);
  if (!stored)
    return;
  start_book(std::move(*stored));
  health_ = health::works;
  flush_once(lock); // it says again if there is still no room
  if (health_ == health::works)
    log::info("the store works again; jobs are accepted");
}

void job_service::tick() {
  std::unique_lock lock{mutex_};
  const auto at = now();
  if (health_ == health::has_to_load && at.steady >= next_load_)
    load_again(lock);
  if (health_ == health::works) {
    const auto lease = book_->next_due();
    if (lease && *lease <= at.steady) {
      book_->look_at_time(at);
      changed_ = true;
    }
    if (at.steady >= next_cleaning_) {
      next_cleaning_ = at.steady + cleaning_interval;
      forget_old(at);
      if (at.steady >= next_machine_cleaning_) {
        next_machine_cleaning_ = at.steady + machine_cleaning_interval;
        forgets_machines_before_ = at.utc_ms - options_.keep_finished.count();
        changed_ = true;
      }
    }
    if (!options_.own_thread)
      flush(lock);
  }
  auto due = due_waiters({});
  lock.unlock();
  answer_waiters(std::move(due));
}

void job_service::forget_old(service_time at) {
  try {
    auto ids =
      store_->finished_before(at.utc_ms - options_.keep_finished.count(), 0, forgotten_at_once);
    if (ids.empty())
      ids = store_->finished_before(at.utc_ms, options_.keep_at_most, forgotten_at_once);
    if (ids.size() == forgotten_at_once)
      next_cleaning_ = at.steady;
    changed_ = changed_ || !ids.empty();
    // One that is run again meanwhile is in the book.
    std::erase_if(ids, [this](std::uint64_t id) { return book_->find(id) != nullptr; });
    being_forgotten_.insert(ids.begin(), ids.end());
    book_->forget(ids);
  } catch (const std::exception& e) {
    log::error("old jobs are not removed: {}", e.what());
  }
}

} // namespace troupe
