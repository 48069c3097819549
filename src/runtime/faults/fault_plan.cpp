#include "runtime/faults/fault_plan.hpp"

#include "model/base/random.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/faults/fault_trace.hpp"
#include "runtime/network/linker.hpp"
#include "settings/schema/think_times.hpp"
#include "settings/toml/duration_text.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace troupe {

namespace {

std::uint32_t members_of(role what, const run_settings& settings) {
  switch (what) {
  case role::machine:
    return settings.cluster.machines;
  case role::owner:
    return any_places(settings) ? settings.cluster.owners : 0;
  case role::scheduler:
    return settings.schedulers;
  default:
    return 1;
  }
}

/// Parses "machine.3" into a fault. Returns whether there is such a member.
bool read_target(const std::string& name, const run_settings& settings, fault& into) {
  for (auto what : {role::master, role::allocator})
    if (name == name_of(what)) {
      into.what = what;
      return what == role::master || settings.sync.plan == sync_plan_kind::offers;
    }
  for (auto what : {role::machine, role::owner, role::scheduler}) {
    const auto prefix = to_string(what) + '.';
    if (!name.starts_with(prefix))
      continue;
    const auto* begin = name.data() + prefix.size();
    const auto* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, into.number);
    into.what = what;
    return error == std::errc{} && stop == end && into.number < members_of(what, settings);
  }
  return false;
}

/// Renders the members that may fail.
std::string targets_text(const run_settings& settings) {
  auto text = to_string(role::master);
  if (settings.sync.plan == sync_plan_kind::offers)
    text += ", " + to_string(role::allocator);
  for (auto what : {role::owner, role::scheduler, role::machine})
    if (const auto n = members_of(what, settings); n > 0)
      text += (what == role::machine ? " or " : ", ") + to_string(what) + ".N with N from 0 to " +
              std::to_string(n - 1);
  return text;
}

/// Throws if a side of a link is a machine that a trace does not have. The settings are checked
/// before the trace is read.
void check_side_of_link(const std::string& side, const std::string& key,
                        const run_settings& settings) {
  fault f;
  if (side.starts_with(name_of(role::machine)) && side.find('*') == std::string::npos &&
      !read_target(side, settings, f))
    throw std::runtime_error("key '" + key + "': there is no '" + side + "'; expected " +
                             targets_text(settings));
}

void add_timed(const run_settings& settings, std::vector<fault>& plan) {
  for (std::size_t i = 0; i < settings.faults.at.size(); ++i) {
    const auto& s = settings.faults.at[i];
    const auto path = "faults.at." + std::to_string(i) + ".";
    fault f{s.kind, s.time};
    f.to = s.length > duration::zero() ? s.time + s.length : instant::max();
    if (f.of_network()) {
      check_side_of_link(s.target, path + "target", settings);
      check_side_of_link(s.other, path + "other", settings);
      f.a = s.target;
      f.b = s.other;
      f.loss = f.kind == fault_kind::loss ? s.loss : 0;
      f.delay = f.kind == fault_kind::delay ? s.delay : duration::zero();
    } else if (!read_target(s.target, settings, f)) {
      throw std::runtime_error("key '" + path + "target': there is no '" + s.target +
                               "'; expected " + targets_text(settings));
    }
    plan.push_back(std::move(f));
  }
}

/// Returns a time that was drawn, but none that is longer than the longest run.
duration drawn(double seconds) {
  return seconds < to_seconds(max_duration) ? from_seconds(seconds) : max_duration;
}

void add_random(const run_settings& settings, std::vector<fault>& plan) {
  const auto& of = settings.faults;
  const auto end = of.until > duration::zero() ? of.until : settings.length;
  for (std::size_t i = 0; i < of.random.size(); ++i) {
    const auto& s = of.random[i];
    const auto what = s.role;
    // The scale at which a Weibull distribution of this shape has the required mean.
    const double scale = to_seconds(s.mttf) / std::tgamma(1 + 1 / s.shape);
    boost::random::weibull_distribution<double> weibull{s.shape, scale};
    boost::random::exponential_distribution<double> exponential{1 / to_seconds(s.mttf)};
    boost::random::exponential_distribution<double> repair{1 / to_seconds(s.mttr)};
    for (std::uint32_t n = 0; n < members_of(what, settings); ++n) {
      auto random = random_stream::derive(settings.seed, "faults", (std::uint64_t{i} << 32) | n);
      const auto incarnation = [&] {
        return drawn(s.distribution == lifetime_kind::weibull ? weibull(random)
                                                              : exponential(random));
      };
      for (auto at = incarnation(); at < end;) {
        fault f{s.kind, at};
        f.to = at + std::max<duration>(drawn(repair(random)), std::chrono::milliseconds{1});
        f.what = what;
        f.number = n;
        at = f.to < end ? f.to + incarnation() : end;
        plan.push_back(std::move(f));
      }
    }
  }
}

void add_traced(const run_settings& settings, std::vector<fault>& plan) {
  const auto& name = settings.faults.trace;
  if (name.empty())
    return;
  for (const auto& row : read_fault_trace(name)) {
    fault f;
    if (!read_target(row.target, settings, f))
      throw std::runtime_error(name + ":" + std::to_string(row.line) + ": there is no '" +
                               row.target + "'; expected " + targets_text(settings));
    f.kind = row.kind;
    if (f.kind == fault_kind::drain && f.what != role::machine)
      throw std::runtime_error(name + ":" + std::to_string(row.line) + ": '" + row.target +
                               "' cannot be drained; expected machine.N");
    f.from = from_seconds(row.from);
    f.to = row.length > 0 ? f.from + from_seconds(row.length) : instant::max();
    plan.push_back(std::move(f));
  }
}

void sort(std::vector<fault>& plan) {
  std::ranges::stable_sort(plan, {}, &fault::from);
}

} // namespace

std::vector<fault> planned_faults(const run_settings& settings) {
  std::vector<fault> plan;
  add_timed(settings, plan);
  add_random(settings, plan);
  add_traced(settings, plan);
  const auto until = settings.faults.until;
  if (until > duration::zero())
    std::erase_if(plan, [&](const fault& f) { return f.from >= until; });
  sort(plan);
  return plan;
}

bool watches_failures(const run_settings& settings) {
  const auto& watch = settings.failures.watch;
  return watch == watch_kind::on ||
         (watch == watch_kind::automatic && (settings.faults.any() || any_think_times(settings)));
}

// -- chaos --------------------------------------------------------------------------------------

namespace {

class chaos_maker {
public:
  explicit chaos_maker(const run_settings& settings)
    : settings_(settings), random_(random_stream::derive(settings.seed, "chaos", 0)) {
    for (const auto kind : settings.chaos.kinds)
      if (settings.chaos.growth && (kind == chaos_kind::machine || kind == chaos_kind::drain))
        continue; // machines join and leave
      else if (kind == chaos_kind::drain)
        drains_ = random_stream::derive(settings.seed, "drains", 0);
      else if (kind != chaos_kind::owner || members_of(role::owner, settings) > 0)
        kinds_.push_back(kind);
  }

  void add_to(std::vector<fault>& plan) {
    const auto most = settings_.chaos.faults;
    if (!kinds_.empty())
      for (auto n = most == 0 ? 0 : 1 + random_.below(most); n > 0; --n)
        plan.push_back(make());
    if (drains_)
      for (auto n = drains_->below(most / 3 + 1); n > 0; --n)
        plan.push_back(make_drain(*drains_));
  }

private:
  fault make() {
    const auto name = name_of(kinds_[random_.below(kinds_.size())]);
    fault f;
    draw_time(random_, f);
    const auto what = choice_named<role>(name);
    if (!what) {
      f.kind = choice_named<fault_kind>(name).value();
      f.a = someone();
      f.b = random_.below(3) == 0 ? "*" : someone();
      f.loss = f.kind == fault_kind::loss ? 0.05 + 0.6 * random_.unit() : 0;
      f.delay =
        f.kind == fault_kind::delay ? below(random_, std::chrono::milliseconds{1500}) : duration{0};
      return f;
    }
    f.kind = random_.below(2) == 0 ? fault_kind::kill : fault_kind::freeze;
    f.what = *what;
    f.number = member(f.what);
    return f;
  }

  /// From a stream of its own: the other failures of a seed do not depend on whether there are
  /// drains.
  fault make_drain(random_stream& from) const {
    fault f{fault_kind::drain};
    draw_time(from, f);
    f.number = static_cast<std::uint32_t>(from.below(members_of(f.what, settings_)));
    return f;
  }

  void draw_time(random_stream& from, fault& f) const {
    f.from = below(from, settings_.chaos.window);
    f.to = f.from + std::chrono::milliseconds{1} + below(from, settings_.chaos.longest);
  }

  static duration below(random_stream& from, duration limit) {
    return duration{
      static_cast<std::int64_t>(from.below(static_cast<std::uint64_t>(limit.count())))};
  }

  std::uint32_t member(role what) {
    return static_cast<std::uint32_t>(random_.below(members_of(what, settings_)));
  }

  /// One side of a link.
  std::string someone() {
    const bool offers = settings_.sync.plan == sync_plan_kind::offers;
    switch (random_.below(offers ? 7 : 6)) {
    case 0:
      return to_string(role::master);
    case 1:
      return numbered("workload", random_.below(settings_.groups.size()));
    case 2:
      return numbered("machine", member(role::machine));
    case 3:
      return numbered("scheduler", member(role::scheduler)) + (random_.below(2) == 0 ? "" : "*");
    case 6:
      return to_string(role::allocator);
    default:
      if (members_of(role::owner, settings_) == 0)
        return numbered("machine", member(role::machine));
      return numbered("owner", member(role::owner)) + (random_.below(2) == 0 ? "" : "*");
    }
  }

  const run_settings& settings_;
  std::vector<chaos_kind> kinds_; ///< roles that have members, and the network
  random_stream random_;
  std::optional<random_stream> drains_; ///< if machines are drained
};

} // namespace

std::vector<fault> chaos_faults(const run_settings& settings) {
  chaos_maker maker{settings};
  auto plan = planned_faults(settings);
  maker.add_to(plan);
  sort(plan);
  return plan;
}

} // namespace troupe
