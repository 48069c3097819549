#include "settings/schema/presets.hpp"

#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <optional>

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr const char* architecture_key = "architecture";

sync_plan_kind plan_of(architecture_kind architecture) {
  switch (architecture) {
  case architecture_kind::statesync:
    return sync_plan_kind::full;
  case architecture_kind::fixed_shares:
  case architecture_kind::monolithic:
    return sync_plan_kind::exclusive;
  case architecture_kind::two_level:
    return sync_plan_kind::offers;
  case architecture_kind::sparrow:
    return sync_plan_kind::none;
  case architecture_kind::parsync:
  case architecture_kind::hybrid:
    break;
  }
  return sync_plan_kind::partitioned;
}

builtin_scheduler actor_of(architecture_kind architecture) {
  switch (architecture) {
  case architecture_kind::sparrow:
    return builtin_scheduler::sparrow;
  case architecture_kind::hybrid:
    return builtin_scheduler::hybrid;
  default:
    return builtin_scheduler::placing;
  }
}

/// The parts of the preset that the document sets itself, and when.
class preset_parts {
public:
  preset_parts(architecture_kind architecture, problems& found)
    : architecture_(architecture), found_(&found) {}

  /// Returns whether the document sets `path`, and not before the architecture.
  bool sets(const std::string& path) const { return from().has(path) && !is_earlier(path); }

  /// Returns whether `path` was set before the architecture.
  bool is_earlier(const std::string& path) const {
    return from().has(architecture_key) && from().has(path) &&
           document::layer_of(from().find(path)) <
             document::layer_of(from().find(architecture_key));
  }

  /// Returns the architecture that was set when `path` was set, if any.
  std::optional<architecture_kind> architecture_of(const std::string& path) const {
    std::optional<architecture_kind> latest;
    for (const auto& f : from().formers())
      if (f.key == architecture_key && f.layer <= document::layer_of(from().find(path)))
        latest = choice_named<architecture_kind>(f.text);
    return latest;
  }

  bool is_option(const std::string& path) const { return document::is_override(from().find(path)); }

  /// Reports an option that sets a part to `value` if a later option selects an architecture whose
  /// preset is `preset`: the options contradict each other.
  template <class Value>
  void refuse_contradiction(const std::string& path, const Value& value,
                            const Value& preset) const {
    if (is_earlier(path) && value != preset && is_option(path))
      found_->wrong(path, to_toml_value(value),
                    to_toml_value(preset) + ", as the later " + from().find(architecture_key).text +
                      " presets it; or the two in the other order");
  }

  void refuse_actor(const std::string& path, const std::string& actor) const {
    found_->wrong(path, to_toml_value(actor),
                  to_toml_value(architecture_) +
                    ", as architecture = " + to_toml_value(architecture_) + ", set later (" +
                    from().find(architecture_key).text + "), is made of schedulers of its own");
  }

private:
  const document& from() const { return found_->from(); }

  architecture_kind architecture_;
  problems* found_;
};

/// Sets a member to the architecture's preset value.
template <class Member, class Value>
void fill_in(const preset_parts& document, const std::string& path, Member& member,
             const Value& value) {
  document.refuse_contradiction(path, member, Member{value});
  if (!document.sets(path))
    member = value;
}

/// Resets a member to its `standard` if a file set it for an earlier architecture, which `has` it.
/// Values set by options are kept.
template <class Member, class Value, class Has>
void take_back(const preset_parts& document, const std::string& path, Member& member,
               const Value& standard, Has has) {
  if (!document.is_earlier(path) || document.is_option(path))
    return;
  if (const auto former = document.architecture_of(path); former && has(*former))
    member = standard;
}

std::string in_group(std::size_t i, const std::string& path) {
  return "groups." + std::to_string(i) + "." + path;
}

/// Calls `change(path, member)` for the member of every group's scheduler; a value of the top level
/// also applies to groups without their own.
template <class Member, class Change>
void for_schedulers(run_settings& s, const preset_parts& document, const std::string& path,
                    Member member, Change change) {
  change(path, s.scheduler.*member);
  for (std::size_t i = 0; i < s.groups.size(); ++i)
    if (const auto own = in_group(i, path); document.sets(own) || document.is_earlier(own))
      change(own, s.groups[i].scheduler.*member);
    else
      s.groups[i].scheduler.*member = s.scheduler.*member;
}

void preset_share(run_settings& s, const preset_parts& document) {
  for_schedulers(s, document, "scheduler.own_share", &scheduler_settings::own_share,
                 [&](const std::string& path, sharing& share) {
                   if (s.architecture == architecture_kind::fixed_shares)
                     fill_in(document, path, share, sharing::hard);
                   else
                     take_back(document, path, share, sharing::none, [](architecture_kind former) {
                       return former == architecture_kind::fixed_shares;
                     });
                 });
}

void preset_actor(run_settings& s, const preset_parts& document) {
  const auto own = actor_of(s.architecture);
  for_schedulers(s, document, "scheduler.actor", &scheduler_settings::actor,
                 [&](const std::string& path, std::string& actor) {
                   if (builtin_scheduler_of(actor) || !document.is_earlier(path))
                     fill_in(document, path, actor, to_string(own));
                   else if (own != builtin_scheduler::placing)
                     document.refuse_actor(path, actor);
                 });
}

bool is_exclusive(architecture_kind architecture) {
  return plan_of(architecture) == sync_plan_kind::exclusive;
}

} // namespace

void apply_preset(run_settings& s, problems& found) {
  const preset_parts document{s.architecture, found};
  fill_in(document, "sync.plan", s.sync.plan, plan_of(s.architecture));
  if (s.sync.plan == sync_plan_kind::exclusive)
    fill_in(document, "owner.report_interval", s.owner.report_interval, duration{0});
  else
    take_back(document, "owner.report_interval", s.owner.report_interval,
              owner_settings{}.report_interval, is_exclusive);
  if (s.architecture == architecture_kind::monolithic)
    fill_in(document, "pool", s.pool, 1u);
  else
    take_back(document, "pool", s.pool, 0u,
              [](architecture_kind former) { return former == architecture_kind::monolithic; });
  preset_share(s, document);
  preset_actor(s, document);
}

} // namespace troupe
