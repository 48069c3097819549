#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The table that swarm testing draws from: one row for each setting that changes what a cluster
/// does.
namespace troupe {

/// How the runs of a swarm are made.
enum class swarm_mode : unsigned char {
  failing, ///< in virtual time, under failures
  calm,    ///< in virtual time, without
  real,    ///< for a second or two of real time, without failures
};

/// What a draw has chosen so far: values by key, as after --set.
class swarm_picks {
public:
  explicit swarm_picks(swarm_mode mode) : mode_(mode) {}

  void set(const std::string& key, std::string value) { values_[key] = std::move(value); }
  swarm_mode mode() const { return mode_; }

  /// Returns whether anything was chosen for `key`.
  bool has(std::string_view key) const { return values_.contains(key); }
  /// Returns whether `value` was chosen for `key`.
  bool is(std::string_view key, std::string_view value) const;
  /// Returns the number chosen for `key`, or `otherwise`.
  double number(std::string_view key, double otherwise) const;
  /// Returns the duration chosen for `key` in seconds, or `otherwise`.
  double seconds(std::string_view key, double otherwise) const;

private:
  swarm_mode mode_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// One setting, and what a draw may choose for it. Rows are drawn in their order, so that a row may
/// ask what the rows before it have chosen.
struct swarm_row {
  /// How often a row is drawn.
  enum class how : unsigned char {
    always,   ///< in every draw; shrinking keeps it and makes its value smaller
    feature,  ///< with the density of the draw
    by_group, ///< likewise; for all groups, or for one of them
  };

  std::string_view key;
  std::vector<std::string_view> choices; ///< values as after --set
  how drawn = how::feature;
  bool (*applies)(const swarm_picks&) = nullptr; ///< null: in every draw
  /// Whether a choice is possible; null: each is.
  bool (*allows)(const swarm_picks&, std::string_view) = nullptr;
};

/// All rows, in the order in which they are drawn.
std::span<const swarm_row> swarm_rows();

/// A setting that no row has, and why a swarm need not draw it. A key that ends with '.' stands for
/// all keys below it.
struct undrawn_setting {
  std::string_view key;
  std::string_view reason;
};

std::span<const undrawn_setting> undrawn_settings();

/// The settings that every draw is put over, as TOML.
std::string_view swarm_base();

} // namespace troupe
