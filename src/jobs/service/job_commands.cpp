#include "jobs/service/job_service.hpp"

#include <algorithm>

namespace troupe {

std::map<std::uint64_t, job_state> job_service::states_of(const std::vector<std::uint64_t>& ids,
                                                          std::uint64_t& unknown) {
  std::map<std::uint64_t, job_state> states;
  for (const auto id : ids) {
    if (book_->find(id) != nullptr)
      continue;
    if (const auto row = store_->job(id))
      states[id] = row->state;
    else
      unknown = id;
  }
  return states;
}

void job_service::submit(job_spec spec, const std::string& key,
                         std::function<void(submit_outcome)> answer) {
  using kind = submit_outcome::kind;
  std::unique_lock lock{mutex_};
  const auto refuse = [&](submit_outcome outcome) {
    lock.unlock();
    answer(outcome);
  };
  if (health_ != health::works)
    return refuse({});
  try {
    const auto text = to_json(spec);
    if (!key.empty()) {
      const auto fresh = new_keys_.find({spec.tenant, key});
      if (fresh != new_keys_.end()) {
        const submit_outcome known{fresh->second.second == text ? kind::repeated : kind::other_job,
                                   fresh->second.first};
        return after(lock, [known, answer = std::move(answer)](bool durable) {
          answer(durable ? known : submit_outcome{});
        });
      }
      if (const auto earlier = store_->submission(spec.tenant, key)) {
        const auto row = store_->job(*earlier);
        return refuse({row && row->spec == text ? kind::repeated : kind::other_job, *earlier});
      }
    }
    std::uint64_t unknown = 0;
    const auto states = states_of(spec.after, unknown);
    if (unknown != 0)
      return refuse({kind::no_predecessor, unknown});
    if (book_->live_tasks() + spec.task_count() > options_.most_live_tasks)
      return refuse({kind::too_many, 0});
    const auto tenant = spec.tenant;
    const submit_outcome made{kind::made, book_->submit(std::move(spec), key, states, now())};
    if (!key.empty())
      new_keys_[{tenant, key}] = {made.id, text};
    after(lock, [made, answer = std::move(answer)](bool durable) {
      answer(durable ? made : submit_outcome{});
    });
  } catch (const store_away&) {
    refuse({});
  } catch (const store_broken& e) {
    fail(lock, {}, true, e.what());
    refuse({});
  }
}

void job_service::scheduled_over(const task_id& as, task_fate fate) {
  std::unique_lock lock{mutex_};
  if (health_ != health::works)
    return; // all is handed out anew
  book_->scheduled_over(as, fate, now());
  after(lock, [](bool) {});
}

void job_service::cancel(std::uint64_t id, std::function<void(command_outcome)> answer) {
  using kind = command_outcome::kind;
  std::unique_lock lock{mutex_};
  command_outcome outcome;
  if (health_ == health::works) {
    const bool known = book_->find(id) != nullptr || store_->job(id).has_value();
    outcome.what = !known ? kind::unknown : book_->cancel(id, now()) ? kind::done : kind::over;
  }
  after(lock, [outcome, answer = std::move(answer)](bool durable) {
    answer(durable ? outcome : command_outcome{});
  });
}

void job_service::retry(std::uint64_t id, std::function<void(command_outcome)> answer) {
  using kind = command_outcome::kind;
  std::unique_lock lock{mutex_};
  command_outcome outcome;
  if (health_ == health::works) {
    const auto* const live = book_->find(id);
    auto stored =
      live == nullptr && !being_forgotten_.contains(id) ? store_->load_job(id) : std::nullopt;
    if (live == nullptr && !stored) {
      outcome.what = kind::unknown;
    } else if (live != nullptr && !is_over(live->row.state)) {
      outcome.what = kind::not_over;
    } else {
      std::uint64_t unknown = 0;
      const auto states = states_of(
        live != nullptr ? live->spec.after : read_job_json(stored->job.spec).after, unknown);
      outcome.tasks = book_->retry(id, std::move(stored), states, now());
      outcome.what = outcome.tasks > 0 ? kind::done : kind::over;
    }
  }
  after(lock, [outcome, answer = std::move(answer)](bool durable) {
    answer(durable ? outcome : command_outcome{});
  });
}

void job_service::give_up(std::uint64_t id, std::uint32_t task,
                          std::function<void(command_outcome)> answer) {
  using kind = command_outcome::kind;
  std::unique_lock lock{mutex_};
  command_outcome outcome;
  if (health_ == health::works) {
    const bool known = book_->find(id) != nullptr || store_->job(id).has_value();
    outcome.what = !known                            ? kind::unknown
                   : book_->give_up(id, task, now()) ? kind::done
                                                     : kind::over;
  }
  after(lock, [outcome, answer = std::move(answer)](bool durable) {
    answer(durable ? outcome : command_outcome{});
  });
}

void job_service::keep_policies(std::vector<ordered_policy_row> policies,
                                std::function<void(bool durable)> answer) {
  std::unique_lock lock{mutex_};
  if (health_ == health::works)
    for (auto& row : policies) {
      const auto scheduler = row.scheduler;
      new_policies_.insert_or_assign(scheduler, std::move(row));
    }
  after(lock, std::move(answer));
}

void job_service::keep_machines(std::vector<machine_row> machines,
                                std::function<void(bool durable)> answer) {
  std::unique_lock lock{mutex_};
  if (health_ == health::works)
    for (auto& row : machines) {
      const std::pair key{row.node, row.since_ms};
      new_machines_.insert_or_assign(key, std::move(row));
    }
  after(lock, std::move(answer));
}

void job_service::wait_for(std::uint64_t id, duration at_most,
                           std::function<void(wait_outcome)> answer) {
  {
    const std::lock_guard lock{mutex_};
    if (waiters_.size() < options_.most_waiters && at_most > duration::zero() && !stop_) {
      waiters_.push_back({id, now().steady + at_most, answer});
      wakes_.notify_all();
      answer = nullptr;
    }
  }
  // A job that ends now has a waiter already: either this finds it over, or its end finds the
  // waiter.
  std::optional<job_row> row;
  try {
    row = store_->job(id);
  } catch (const store_broken&) {
    if (answer)
      answer({false, std::nullopt});
    return;
  }
  if (answer)
    return answer({true, row});
  if (row && !is_over(row->state))
    return;
  std::vector<waiter> due;
  {
    const std::lock_guard lock{mutex_};
    const auto mine =
      std::ranges::stable_partition(waiters_, [&](const waiter& w) { return w.id != id; });
    std::ranges::move(mine, std::back_inserter(due));
    waiters_.erase(mine.begin(), mine.end());
  }
  answer_waiters(std::move(due));
}

std::vector<job_service::waiter> job_service::due_waiters(const std::vector<std::uint64_t>& ended) {
  const auto at = now().steady;
  std::vector<waiter> due;
  std::erase_if(waiters_, [&](waiter& w) {
    const bool is_due = w.deadline <= at || std::ranges::find(ended, w.id) != ended.end();
    if (is_due)
      due.push_back(std::move(w));
    return is_due;
  });
  return due;
}

void job_service::answer_waiters(std::vector<waiter> due) {
  for (const auto& w : due)
    try {
      w.answer({true, store_->job(w.id)});
    } catch (const store_broken&) {
      w.answer({false, std::nullopt});
    }
}

} // namespace troupe
