#pragma once

#include "nodes/running_cluster.hpp"
#include "web/client.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <regex>
#include <string>

namespace troupe::test {

/// Reads what the page of a cluster, which is served on loopback, shows.
class page_reader {
public:
  explicit page_reader(std::uint16_t port) : port_(port) {}

  /// `text` has the address of the page.
  static page_reader of(const std::string& text) {
    const std::regex address{R"(http://127\.0\.0\.1:(\d+)/)"};
    std::smatch found;
    REQUIRE(std::regex_search(text, found, address));
    return page_reader{static_cast<std::uint16_t>(std::stoi(found[1]))};
  }

  /// Throws if nobody listens.
  std::string get(const std::string& path) const {
    web_client client{port_};
    client.send(get_text(path));
    return client.receive().body();
  }

  /// Discarded if nobody listens.
  json state() const {
    try {
      return json::parse(get("/api/v1/state"), nullptr, false);
    } catch (const std::exception&) {
      return json(json::value_t::discarded);
    }
  }

  bool has_event(const std::string& what) const {
    const auto now = state();
    if (now.is_object())
      for (const auto& e : now["events"])
        if (e["what"] == what)
          return true;
    return false;
  }

private:
  std::uint16_t port_;
};

/// Whether a state of a page has tasks, and no more placed than submitted ones.
inline bool counts_agree(const json& state) {
  const auto& t = state["totals"];
  return t["submitted"].get<int>() > 0 && t["placed"].get<int>() <= t["submitted"].get<int>() &&
         t["finished"].get<int>() <= t["placed"].get<int>();
}

/// Waits until the counts of a page agree. On a busy host a state may have counts of placed tasks
/// that were read after those of submitted ones, or lack those of a scheduler that answers late;
/// the next states have them.
inline bool counts_come_to_agree(const page_reader& page) {
  json now;
  const bool agree = eventually([&] { return counts_agree(now = page.state()); });
  if (!agree)
    MESSAGE("the totals are ", now["totals"].dump());
  return agree;
}

} // namespace troupe::test
