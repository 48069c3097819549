#include "web/event_feed.hpp"

#include "web/token.hpp"

#include <fmt/core.h>

#include <charconv>
#include <vector>

namespace troupe {

namespace {

constexpr std::size_t feed_name_bytes = 6;

} // namespace

event_feed::event_feed(std::function<std::string()> whole)
  : id_(random_token(feed_name_bytes)), whole_(std::move(whole)) {}

std::string event_feed::render(std::string_view name, std::string_view data,
                               std::uint64_t number) const {
  return fmt::format("event: {}\nid: {}-{}\ndata: {}\n\n", name, id_, number, data);
}

void event_feed::publish(std::string_view name, std::string_view data, event_kind kind) {
  {
    const std::lock_guard lock{mutex_};
    ++number_;
    events_.push_back({std::string{name}, render(name, data, number_), kind});
    if (events_.size() > kept)
      events_.pop_front();
    if (kind == event_kind::newest)
      newest_.insert_or_assign(std::string{name}, number_);
  }
  wake_all();
}

void event_feed::close() {
  {
    const std::lock_guard lock{mutex_};
    closed_ = true;
  }
  wake_all();
}

void event_feed::wake_all() {
  const std::lock_guard lock{mutex_};
  for (const auto& [number, wake] : wakes_)
    wake();
}

std::size_t event_feed::readers() const {
  const std::lock_guard lock{mutex_};
  return wakes_.size();
}

event_feed::reader event_feed::join(const std::shared_ptr<event_feed>& feed,
                                    std::string_view last_id, std::function<void()> wake) {
  reader made;
  made.feed_ = feed;
  const std::lock_guard lock{feed->mutex_};
  if (last_id.starts_with(feed->id_ + '-')) {
    const auto digits = last_id.substr(feed->id_.size() + 1);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size() && number <= feed->number_) {
      made.last_ = number;
      made.knows_ = true;
    }
  }
  const auto mine = feed->next_reader_++;
  feed->wakes_.emplace(mine, std::move(wake));
  made.registered_ = {nullptr, [feed, mine](void*) {
                        const std::lock_guard leave{feed->mutex_};
                        feed->wakes_.erase(mine);
                      }};
  return made;
}

std::string event_feed::reader::next() {
  auto& feed = *feed_;
  std::unique_lock lock{feed.mutex_};
  const auto behind = feed.number_ - last_;
  if (!knows_ || behind > feed.events_.size()) {
    knows_ = true;
    last_ = feed.number_;
    const auto at = last_;
    lock.unlock();
    return feed.render("hello", feed.whole_(), at);
  }
  std::string out;
  const auto first = feed.number_ - feed.events_.size() + 1; // number of the first one kept
  while (last_ < feed.number_ && out.size() < batch) {
    ++last_;
    const auto& event = feed.events_[last_ - first];
    if (event.kind == event_kind::news || feed.newest_.at(event.name) == last_)
      out += event.text;
  }
  return out;
}

bool event_feed::reader::at_end() const {
  const std::lock_guard lock{feed_->mutex_};
  return feed_->closed_ && knows_ && last_ == feed_->number_;
}

} // namespace troupe
