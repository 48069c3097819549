#pragma once

#include "model/base/random.hpp"
#include "model/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// The effect of a link on messages.
struct link_settings {
  duration latency{0}; ///< minimum for each message
  duration jitter{0};  ///< maximum of the uniform addition to the latency
  double loss = 0;     ///< probability that a message is lost, 0 .. 1
};

/// A time in which messages between two sides, in both directions, are lost, all or some of them,
/// or delayed.
struct network_cut {
  instant from{0}; ///< first instant of the cut
  instant to{0};   ///< first instant after it
  /// The two sides: patterns for names of actors, in which '*' matches any run of characters.
  std::string a = "*";
  std::string b = "*";
  double loss = 1;   ///< probability that a message is lost
  duration delay{0}; ///< added to the latency
};

/// Returns whether `name` matches `pattern`, in which '*' matches any run of characters.
bool matches(std::string_view pattern, std::string_view name);

/// One direction between two named ends. Messages keep their order, as on a TCP connection: none
/// arrives earlier than one that was sent before it.
///
/// It is one cache line: owners and schedulers of a large cluster have tens of thousands of
/// channels, and if failures are watched there are two for each pair of a scheduler and a
/// machine.
class alignas(64) channel {
public:
  /// The names of the ends that messages leave and reach.
  using ends = std::pair<std::string, std::string>;

  /// `settings` and `between` must outlive it. `concurrent`: several threads use the channel.
  channel(random_stream random, const link_settings& settings, std::vector<network_cut> cuts,
          std::uint64_t key, const ends& between, bool concurrent);

  /// Returns when a message that is sent at `now` arrives, or nothing if it is lost.
  std::optional<instant> send(instant now) {
    if (is_plain_)
      return last_arrival_ = std::max(last_arrival_, now + settings_->latency);
    return send_over_faults(now);
  }

  /// Returns when a message that is repeated until it arrives does so: after the cuts that are
  /// active at `now`, regardless of the loss.
  instant send_surely(instant now);

  /// Identifies the channel within its network. Depends only on the names of the ends.
  std::uint64_t key() const { return key_; }

  const std::string& from() const { return between_->first; }
  const std::string& to() const { return between_->second; }

private:
  std::optional<instant> send_over_faults(instant now);
  const network_cut* cut_at(instant t) const;
  instant arrival(instant now);
  bool loses(instant now);
  std::unique_lock<std::mutex> lock() {
    return mutex_ ? std::unique_lock{*mutex_} : std::unique_lock<std::mutex>{};
  }

  std::span<const network_cut> cuts() const {
    return cuts_ ? std::span{*cuts_} : std::span<const network_cut>{};
  }

  instant last_arrival_{0};
  std::uint64_t key_;
  const link_settings* settings_;
  std::unique_ptr<const std::vector<network_cut>> cuts_; ///< null if there are none
  const ends* between_;
  random_stream random_;
  std::unique_ptr<std::mutex> mutex_; ///< if several threads use it
  bool is_plain_; ///< it only delays messages, each by the same time, for one thread
};

static_assert(sizeof(channel) == 64);

/// A model of a network. Each pair of named ends has a channel per direction, which delays, loses
/// and cuts messages. Every channel draws from its own random stream, so channels do not affect
/// each other.
class network {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `origin` is the clock's time at the start of the run: the cuts count from it. `concurrent`:
  /// several threads use the network, as in real time.
  network(std::uint64_t seed, const link_settings& settings, std::vector<network_cut> cuts = {},
          time_point origin = {}, bool concurrent = false);

  /// Returns the channel from the end named `from` to the one named `to`, always the same one for
  /// the same names. It lives as long as the network.
  channel& between(const std::string& from, const std::string& to);

  time_point origin() const { return origin_; }

  bool concurrent() const { return concurrent_; }

private:
  struct hash_of_ends {
    std::size_t operator()(const channel::ends& of) const {
      const std::hash<std::string> hash;
      return hash(of.first) * 31 + hash(of.second);
    }
  };

  std::mutex mutex_;
  std::uint64_t seed_;
  link_settings settings_;
  std::vector<network_cut> cuts_;
  time_point origin_;
  bool concurrent_;
  std::unordered_map<channel::ends, std::unique_ptr<channel>, hash_of_ends> channels_;
};

} // namespace troupe
