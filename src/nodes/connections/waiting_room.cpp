#include "nodes/connections/waiting_room.hpp"

#include "model/base/log.hpp"

namespace troupe {

void waiting_room::enter(const ticket& who) {
  const auto most = context_->limits.most_waiting;
  if (guests_.size() >= most)
    send_first_away("while " + std::to_string(most) + " others wait");
  guests_.push_back(who);
  if (!watches_)
    watch();
}

void waiting_room::leave(const ticket& who) {
  guests_.remove(who);
  who->send_away = nullptr;
  if (guests_.empty())
    timer_.cancel();
}

void waiting_room::close() {
  while (!guests_.empty()) {
    guests_.front()->log->close();
    send_first_away("");
  }
  timer_.cancel();
}

void waiting_room::send_first_away(const std::string& why) {
  const auto who = guests_.front();
  guests_.pop_front();
  who->log->write(log::level::warn, "silent connections",
                  who->log->peer() + " connected but did not identify itself " + why +
                    ": connection closed");
  if (auto send_away = std::exchange(who->send_away, nullptr))
    send_away();
}

void waiting_room::watch() {
  watches_ = true;
  const auto silence = context_->limits.silence;
  timer_.expires_at(guests_.front()->since + silence);
  timer_.async_wait([self = shared_from_this(), silence](asio_error) {
    self->watches_ = false;
    const auto now = std::chrono::steady_clock::now();
    while (!self->guests_.empty() && now - self->guests_.front()->since >= silence)
      self->send_first_away("for " + std::to_string(silence.count() / 1000) + " s");
    if (!self->guests_.empty())
      self->watch();
  });
}

} // namespace troupe
