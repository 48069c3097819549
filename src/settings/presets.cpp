#include "settings/presets.hpp"

#include "settings/toml_text.hpp"

#include <algorithm>
#include <optional>

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr const char* architecture_key = "architecture";

std::string plan_of(const std::string& architecture) {
  if (architecture == "statesync")
    return "full";
  if (architecture == "static" || architecture == "monolithic")
    return "exclusive";
  if (architecture == "two-level")
    return "offers";
  if (architecture == "sparrow")
    return "none";
  return "partitioned";
}

bool probes(const std::string& architecture) {
  return architecture == "sparrow" || architecture == "hybrid";
}

/// Which parts the document may still set against the architecture.
class preset_parts {
public:
  preset_parts(const std::string& architecture, problems& found)
    : architecture_(architecture), found_(&found) {}

  /// Returns whether the document sets `path`, and not before the architecture.
  bool sets(const std::string& path) const { return from().has(path) && !is_earlier(path); }

  /// Returns whether `path` was set before the architecture.
  bool is_earlier(const std::string& path) const {
    return from().has(architecture_key) && from().has(path) &&
           document::layer_of(from().find(path)) <
             document::layer_of(from().find(architecture_key));
  }

  /// Returns the architecture that stood when `path` was set, if one did.
  std::optional<std::string> architecture_of(const std::string& path) const {
    std::optional<std::string> latest;
    for (const auto& f : from().formers())
      if (f.key == architecture_key && f.layer <= document::layer_of(from().find(path)))
        latest = f.text;
    return latest;
  }

  bool is_option(const std::string& path) const { return document::is_override(from().find(path)); }

  /// Reports a part that an option sets to `value`, when a later one asks for an architecture that
  /// has `preset` there: nobody can mean both.
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

  std::string architecture_;
  problems* found_;
};

/// Presets a member that the architecture has a value for.
template <class Member, class Value>
void fill_in(const preset_parts& document, const std::string& path, Member& member,
             const Value& value) {
  document.refuse_contradiction(path, member, Member{value});
  if (!document.sets(path))
    member = value;
}

/// Takes a member back to its `standard` that a file set for an earlier architecture, which `has`
/// it. What an option sets is meant.
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

/// Does with the member of every group's scheduler as `change(path, member)` does; what the top
/// level sets still goes for groups that do not.
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
                 [&](const std::string& path, std::string& share) {
                   if (s.architecture == "static")
                     fill_in(document, path, share, "hard");
                   else
                     take_back(document, path, share, "none",
                               [](const auto& former) { return former == "static"; });
                 });
}

void preset_actor(run_settings& s, const preset_parts& document) {
  const std::string own = probes(s.architecture) ? s.architecture : "placing";
  for_schedulers(s, document, "scheduler.actor", &scheduler_settings::actor,
                 [&](const std::string& path, std::string& actor) {
                   const bool built_in = actor == "placing" || probes(actor);
                   if (built_in || !document.is_earlier(path))
                     fill_in(document, path, actor, own);
                   else if (probes(s.architecture))
                     document.refuse_actor(path, actor);
                 });
}

bool is_exclusive(const std::string& architecture) {
  return plan_of(architecture) == "exclusive";
}

} // namespace

void apply_preset(run_settings& s, problems& found) {
  const preset_parts document{s.architecture, found};
  fill_in(document, "sync.plan", s.sync.plan, plan_of(s.architecture));
  if (s.sync.plan == "exclusive")
    fill_in(document, "owner.report_interval", s.owner.report_interval, duration{0});
  else
    take_back(document, "owner.report_interval", s.owner.report_interval,
              owner_settings{}.report_interval, is_exclusive);
  if (s.architecture == "monolithic")
    fill_in(document, "pool", s.pool, 1u);
  else
    take_back(document, "pool", s.pool, 0u,
              [](const auto& former) { return former == "monolithic"; });
  preset_share(s, document);
  preset_actor(s, document);
}

} // namespace troupe
