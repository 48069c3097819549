#include "runtime/swarm/shrink.hpp"

#include "model/protocol/failure_protocol.hpp"
#include "runtime/swarm/feasible.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

namespace troupe {

namespace {

/// Renders one failure as an element of faults.at.
std::string to_value(const fault& f) {
  const auto target =
    f.of_network() ? f.a : troupe::to_string(f.what) + '.' + std::to_string(f.number);
  const bool single = !f.of_network() && (f.what == role::master || f.what == role::allocator);
  std::string text = "{kind=" + to_toml_value(to_string(f.kind)) +
                     ",target=" + to_toml_value(single ? to_string(f.what) : target) +
                     ",time=" + to_toml_value(f.from);
  if (f.to != instant::max())
    text += ",duration=" + to_toml_value(f.to - f.from);
  else
    text += ",duration=\"0s\"";
  if (f.of_network())
    text += ",other=" + to_toml_value(f.b);
  if (f.kind == fault_kind::loss)
    text += ",loss=" + to_toml_value(f.loss);
  if (f.kind == fault_kind::delay)
    text += ",delay=" + to_toml_value(f.delay);
  return text + '}';
}

/// Returns the choices of a case, with its failures among them.
std::vector<swarm_choice> with_faults(const swarm_case& c) {
  auto all = c.choices;
  if (c.mode != swarm_mode::failing)
    return all;
  std::erase_if(all, [](const auto& choice) { return choice.key == "chaos.faults"; });
  all.push_back({"chaos.faults", "0"});
  std::string list;
  for (const auto& f : c.faults)
    list += (list.empty() ? "" : ",") + to_value(f);
  all.push_back({"faults.at", '[' + list + ']'});
  return all;
}

class shrinking {
public:
  shrinking(swarm_case from, std::uint32_t most_runs, const std::function<bool()>& stop)
    : best_(std::move(from)),
      shape_(failure_class(best_.failure)),
      most_runs_(most_runs),
      stop_(stop) {}

  swarm_case result() {
    // The case must fail in the same way whether the seed or the times determine its failures.
    if (best_.mode == swarm_mode::failing && !accept(best_))
      return best_;
    for (bool smaller = true; smaller && !done();) {
      smaller = without_some(&swarm_case::faults, [](const fault&) { return true; });
      smaller |= without_some(&swarm_case::choices, [](const swarm_choice& c) {
        return c.row == nullptr || c.row->drawn != swarm_row::how::always;
      });
      smaller |= fewer_jobs();
      smaller |= smaller_numbers();
      smaller |= shorter_faults();
    }
    return best_;
  }

private:
  bool done() const { return best_.runs >= most_runs_ || (stop_ && stop_()); }

  /// Makes `candidate` the best case if it fails in the same way.
  bool accept(const swarm_case& candidate) {
    if (done())
      return false;
    run_settings settings;
    try {
      settings = swarm_settings(with_faults(candidate), candidate.seed, candidate.mode);
    } catch (const std::runtime_error&) { // refused settings, or files that do not fit to them
      return false;
    }
    if (!why_hopeless(settings).empty())
      return false;
    const auto runs = ++best_.runs;
    const auto trial = try_run(settings, candidate.mode);
    if (!trial.failure || failure_class(*trial.failure) != shape_)
      return false;
    best_ = candidate;
    best_.runs = runs;
    best_.failure = *trial.failure;
    return true;
  }

  /// Removes stretches of removable elements from a list, long ones first.
  template <class T, class May>
  bool without_some(std::vector<T> swarm_case::*list, const May& may) {
    bool any = false;
    for (auto length = std::max<std::size_t>(1, (best_.*list).size() / 2); length > 0; length /= 2)
      for (std::size_t at = 0; at < (best_.*list).size();) {
        auto candidate = best_;
        auto& all = candidate.*list;
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
          all.begin() + static_cast<std::ptrdiff_t>(std::min(at + length, all.size()));
        const auto kept = std::remove_if(begin, end, may);
        const bool fewer = kept != end;
        all.erase(kept, end);
        if (fewer && accept(candidate))
          any = true;
        else
          at += length;
      }
    return any;
  }

  bool fewer_jobs() {
    for (const auto* jobs : {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32"}) {
      auto candidate = best_;
      auto& all = candidate.choices;
      const auto known = std::ranges::find(all, "workload.jobs", &swarm_choice::key);
      if (known != all.end() && std::stoi(known->value) <= std::stoi(jobs))
        return false;
      if (known != all.end())
        all.erase(known);
      all.push_back({"workload.jobs", jobs});
      if (accept(candidate))
        return true;
    }
    return false;
  }

  bool smaller_numbers() {
    bool any = false;
    for (std::size_t i = 0; i < best_.choices.size(); ++i) {
      const auto& text = best_.choices[i].value;
      std::uint64_t n = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
      if (error != std::errc{} || end != text.data() + text.size())
        continue;
      for (const auto smaller : std::set<std::uint64_t>{1, n / 2, n - 1}) {
        auto candidate = best_;
        candidate.choices[i].value = std::to_string(smaller);
        if (smaller > 0 && smaller < n && accept(candidate)) {
          any = true;
          break;
        }
      }
    }
    return any;
  }

  bool shorter_faults() {
    bool any = false;
    for (std::size_t i = 0; i < best_.faults.size(); ++i) {
      auto candidate = best_;
      auto& f = candidate.faults[i];
      if (f.to - f.from < std::chrono::milliseconds{200})
        continue;
      f.to = f.from + (f.to - f.from) / 2;
      any |= accept(candidate);
    }
    return any;
  }

  swarm_case best_;
  std::string shape_;
  std::uint32_t most_runs_;
  const std::function<bool()>& stop_;
};

} // namespace

swarm_case shrink(const swarm_draw& draw, swarm_mode mode, const swarm_trial& failed,
                  std::uint32_t most_runs, const std::function<bool()>& stop) {
  swarm_case from{draw.seed, mode, draw.choices, failed.faults, failed.failure.value_or(""), 0};
  return shrinking{std::move(from), most_runs, stop}.result();
}

std::string to_toml(const swarm_case& what) {
  auto all = with_faults(what);
  if (what.mode != swarm_mode::failing)
    all.push_back({"seed", std::to_string(what.seed)});
  if (what.mode == swarm_mode::real) {
    all.push_back({"clock", "real"});
    all.push_back({"duration", "1200ms"});
  }
  return swarm_toml(all);
}

} // namespace troupe
