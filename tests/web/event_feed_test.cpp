#include "web/event_feed.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace troupe;

namespace {

std::shared_ptr<event_feed> feed_of(const std::string& whole) {
  return std::make_shared<event_feed>([whole] { return whole; });
}

event_feed::reader join_new(const std::shared_ptr<event_feed>& feed) {
  return event_feed::join(feed, "", [] {});
}

std::vector<std::string> field_of(const std::string& text, const std::string& field) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    const auto line = text.substr(at, end - at);
    if (line.starts_with(field + ": "))
      found.push_back(line.substr(field.size() + 2));
    at = end + 1;
  }
  return found;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("a new reader first gets everything, then what follows") {
  const auto feed = feed_of("all");
  feed->publish("tick", "1", event_kind::news);
  auto reader = join_new(feed);
  CHECK(feed->readers() == 1);
  CHECK(field_of(reader.next(), "event") == texts{"hello"});
  CHECK(reader.next().empty());
  feed->publish("tick", "2", event_kind::news);
  feed->publish("tick", "3", event_kind::news);
  CHECK(field_of(reader.next(), "data") == texts{"2", "3"});
}

TEST_CASE("a slow reader gets the newest state and all news") {
  const auto feed = feed_of("all");
  auto reader = join_new(feed);
  reader.next();
  for (int i = 0; i < 50; ++i)
    feed->publish("state", std::to_string(i), event_kind::newest);
  feed->publish("notice", "x", event_kind::news);
  feed->publish("state", "last", event_kind::newest);
  CHECK(field_of(reader.next(), "data") == texts{"x", "last"});
}

TEST_CASE("a reader that is too far behind begins anew") {
  const auto feed = feed_of("all");
  auto reader = join_new(feed);
  reader.next();
  for (std::size_t i = 0; i <= event_feed::kept; ++i)
    feed->publish("tick", std::to_string(i), event_kind::news);
  CHECK(field_of(reader.next(), "event") == texts{"hello"});
  CHECK(reader.next().empty());
}

TEST_CASE("events are handed out in batches") {
  const auto feed = feed_of("all");
  auto reader = join_new(feed);
  reader.next();
  const std::string large(event_feed::batch / 2, 'x');
  for (int i = 0; i < 5; ++i)
    feed->publish("tick", large, event_kind::news);
  CHECK(field_of(reader.next(), "event").size() == 2);
  CHECK(field_of(reader.next(), "event").size() == 2);
  CHECK(field_of(reader.next(), "event").size() == 1);
}

TEST_CASE("a reader that connects again continues, at the same feed only") {
  const auto feed = feed_of("all");
  std::string id;
  {
    auto reader = join_new(feed);
    reader.next();
    feed->publish("tick", "1", event_kind::news);
    id = field_of(reader.next(), "id").at(0);
  }
  CHECK(feed->readers() == 0);
  feed->publish("tick", "2", event_kind::news);
  auto again = event_feed::join(feed, id, [] {});
  CHECK(field_of(again.next(), "data") == texts{"2"});
  for (const auto& wrong : {id + "9", id + "x", std::string{"-1"}, std::string{}}) {
    auto other = event_feed::join(feed, wrong, [] {});
    CHECK(field_of(other.next(), "event") == texts{"hello"});
  }
  auto restarted = event_feed::join(feed_of("new"), id, [] {});
  CHECK(field_of(restarted.next(), "data") == texts{"new"});
}

TEST_CASE("readers are woken, and hear of the end") {
  const auto feed = feed_of("all");
  int woken = 0;
  auto reader = event_feed::join(feed, "", [&] { ++woken; });
  feed->publish("bye", "0", event_kind::news);
  CHECK(woken == 1);
  feed->close();
  CHECK(woken == 2);
  CHECK(!reader.at_end());
  reader.next();
  CHECK(reader.at_end());
}
