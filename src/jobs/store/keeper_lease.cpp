#include "jobs/store/keeper_lease.hpp"

#include "jobs/store/postgres_schema.hpp"
#include "model/base/log.hpp"
#include "process/base/host_clock.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

namespace troupe {

namespace {

constexpr int renewals_per_lease = 4;
/// How long after the database was reached a lease that has expired is left to its keeper.
constexpr std::int64_t reach_pause_ns = 1'000'000'000;
/// How soon one that has failed is tried again.
constexpr auto retry_pause = std::chrono::milliseconds{100};
/// The part of a lease that a keeper does not count on, for clocks that differ in speed.
constexpr int margin_of_lease = 8;

std::string random_name() {
  std::random_device random;
  std::string name;
  for (int i = 0; i < 4; ++i)
    name += std::to_string(random()) + '.';
  return name;
}

keeper_card card_of(const pqxx::row& row) {
  return {row["node"].as<std::string>(), row["address"].as<std::string>(),
          row["page"].as<std::string>(), row["term"].as<std::uint64_t>()};
}

struct row_of_keeper {
  keeper_card card;
  std::uint64_t epoch = 0;
  bool is_mine = false;
};

constexpr const char* look = "SELECT epoch, term, holder, node, address, page,"
                             " expires > clock_timestamp() AS held FROM keeper WHERE one = 1";

} // namespace

struct keeper_lease::inside {
  explicit inside(keeper_options o)
    : options(std::move(o)), holder(random_name()), session(options.database) {}

  std::string length() const { return std::to_string(options.lease.count()) + " milliseconds"; }

  /// Notes a renewal that was asked for then.
  void count_from(std::int64_t asked_ns) {
    const auto lease = std::chrono::nanoseconds{options.lease}.count();
    held_until = asked_ns + lease - lease / margin_of_lease;
  }

  /// `again`: only if it was not taken by another since.
  bool take(bool again);
  void renew();
  void run();
  void note_lost();

  const keeper_options options;
  const std::string holder;                ///< names this object among all that try
  std::atomic<std::int64_t> held_until{0}; ///< by `boot_clock_ns`
  std::atomic<std::uint64_t> epoch{0};
  std::atomic<bool> lost{false};

  std::mutex session_mutex; ///< for the session
  postgres_session session;
  bool prepared = false;       ///< the tables are there
  std::int64_t reached_at = 0; ///< when the present session began, by `boot_clock_ns`

  mutable std::mutex mutex; ///< for the following
  std::condition_variable wakes;
  keeper_card last;
  bool stops = false;
  std::thread thread; ///< once the lease was taken
};

/// Waits for commits under way, which hold the row, and ends the right of their epoch.
bool keeper_lease::inside::take(bool again) {
  const std::lock_guard guard{session_mutex};
  const auto asked = boot_clock_ns();
  const bool is_new = !session.is_open();
  const auto is_free = [&](const pqxx::row& row) {
    return row["holder"].as<std::string>() == holder || (!again && !row["held"].as<bool>());
  };
  const auto found = session.use([&](pqxx::connection& c) {
    pqxx::work work{c};
    if (!prepared)
      prepare_schema(work);
    auto row = work.exec1(look);
    if (is_new && !again)
      reached_at = asked;
    const bool another =
      !row["holder"].as<std::string>().empty() && row["holder"].as<std::string>() != holder;
    if (is_free(row) && (!another || asked - reached_at >= reach_pause_ns)) {
      row = work.exec1(std::string{look} + " FOR UPDATE");
      if (is_free(row))
        row = work.exec_params1(
          "UPDATE keeper SET epoch = epoch + 1, term = term + CASE WHEN holder = $1 THEN 0 ELSE 1"
          " END, holder = $1, node = $2, address = $3, page = $4,"
          " expires = clock_timestamp() + $5::interval WHERE one = 1"
          " RETURNING epoch, term, holder, node, address, page, true AS held",
          holder, options.self.node, options.self.address, options.self.page, length());
    }
    row_of_keeper as{card_of(row), row["epoch"].as<std::uint64_t>(),
                     row["holder"].as<std::string>() == holder};
    work.commit();
    return as;
  });
  prepared = true;
  if (found.is_mine) {
    epoch = found.epoch;
    count_from(asked);
  }
  const std::lock_guard lock{mutex};
  last = found.card;
  return found.is_mine;
}

void keeper_lease::inside::renew() {
  const auto asked = boot_clock_ns();
  const bool mine = [&] {
    const std::lock_guard guard{session_mutex};
    return session.use([&](pqxx::connection& c) {
      pqxx::work work{c};
      const auto rows = work.exec_params(
        "UPDATE keeper SET expires = clock_timestamp() + $1::interval WHERE holder = $2", length(),
        holder);
      work.commit();
      return rows.affected_rows() > 0;
    });
  }();
  if (mine)
    count_from(asked);
  else
    note_lost();
}

void keeper_lease::inside::note_lost() {
  lost = true;
  held_until = 0;
}

void keeper_lease::inside::run() {
  bool said = false;
  std::unique_lock guard{mutex};
  while (!stops && !lost) {
    wakes.wait_for(guard, said ? retry_pause : options.lease / renewals_per_lease,
                   [this] { return stops; });
    if (stops)
      return;
    guard.unlock();
    try {
      renew();
      if (std::exchange(said, false))
        log::info("the lease of the jobs is renewed again");
    } catch (const std::exception& e) {
      if (!std::exchange(said, true))
        log::warn("the lease of the jobs is not renewed: {}", e.what());
    }
    guard.lock();
  }
}

keeper_lease::keeper_lease(keeper_options options)
  : in_(std::make_unique<inside>(std::move(options))) {}

keeper_lease::~keeper_lease() {
  {
    const std::lock_guard lock{in_->mutex};
    in_->stops = true;
    in_->wakes.notify_all();
  }
  if (!in_->thread.joinable())
    return;
  in_->thread.join();
  try {
    in_->session.use([this](pqxx::connection& c) {
      pqxx::work work{c};
      work.exec_params("UPDATE keeper SET holder = '', expires = '-infinity' WHERE holder = $1",
                       in_->holder);
      work.commit();
    });
  } catch (const std::exception& e) {
    log::warn("the lease of the jobs is not given back: {}", e.what());
  }
}

bool keeper_lease::try_take() {
  if (!in_->take(false))
    return false;
  if (!in_->thread.joinable())
    in_->thread = std::thread{[in = in_.get()] { in->run(); }};
  return true;
}

keeper_card keeper_lease::keeper() const {
  const std::lock_guard lock{in_->mutex};
  return in_->last;
}

void keeper_lease::begin_epoch() {
  if (in_->lost || !in_->take(true))
    lose();
}

const std::string& keeper_lease::database() const {
  return in_->options.database;
}

std::uint64_t keeper_lease::epoch() const {
  return in_->epoch;
}

bool keeper_lease::is_held() const {
  return boot_clock_ns() < in_->held_until;
}

bool keeper_lease::is_lost() const {
  return in_->lost;
}

void keeper_lease::lose() {
  in_->note_lost();
  throw store_lost{"another node keeps the jobs now"};
}

} // namespace troupe
