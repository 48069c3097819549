#include "jobs/spec/spec_reader.hpp"

#include "jobs/spec/amounts.hpp"
#include "settings/checks/nearest_name.hpp"
#include "settings/toml/duration_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace troupe {

namespace {

using json = nlohmann::json;

constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
constexpr std::int32_t most_units = 1'000'000'000; // of resources, in thousandths

/// Renders a value for a message. The elements of an array or an object are left out: writing them
/// is recursive, and deep nesting would overflow the stack.
std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_structured() && !value.empty())
    return value.is_array() ? "an array" : "an object";
  auto text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > longest) {
    text.resize(longest);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U)
      text.pop_back();
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
      text.pop_back();
    text += "...";
  }
  return text;
}

std::string step(const std::string& pointer, const std::string& key) {
  std::string out = pointer + '/';
  for (const char c : key)
    out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

/// Collects faults, at most as many as a message lists.
struct fault_list {
  const place_of_pointer& place;
  std::vector<spec_fault> all{};

  void add(const std::string& pointer, std::string what) {
    if (all.size() < job_limits::faults)
      all.push_back({place(pointer), std::move(what)});
  }
  void wrong(const std::string& pointer, const json& value, const std::string& expected) {
    add(pointer, "is " + shown(value) + "; expected " + expected);
  }
};

/// Reads the members of one object.
class object_reader {
public:
  object_reader(const json& from, std::string pointer, fault_list& faults)
    : from_(from), pointer_(std::move(pointer)), faults_(faults) {}

  const json* get(std::string_view name) {
    known_.push_back(name);
    const auto it = from_.find(name);
    return it == from_.end() ? nullptr : &*it;
  }

  std::string at(std::string_view name) const { return step(pointer_, std::string{name}); }

  void text(std::string_view name, std::string& into, std::size_t longest) {
    const auto* value = get(name);
    if (value != nullptr)
      read_text(*value, at(name), into, longest);
  }

  void flag(std::string_view name, bool& into) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    if (value->is_boolean())
      into = value->get<bool>();
    else
      faults_.wrong(at(name), *value, "true or false");
  }

  template <class T>
  void whole(std::string_view name, T& into, std::int64_t least, std::int64_t most) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    const bool fits =
      value->is_number_integer() &&
      (!value->is_number_unsigned() ||
       value->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) &&
      value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most;
    if (fits)
      into = static_cast<T>(value->get<std::int64_t>());
    else
      faults_.wrong(at(name), *value,
                    "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }

  void thousandths(std::string_view name, std::int32_t& into) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    const auto milli = value->is_number() ? value->get<double>() * 1000 : -1.0;
    if (milli >= 0 && milli <= most_units && std::abs(milli - std::round(milli)) < 1e-6)
      into = static_cast<std::int32_t>(std::lround(milli));
    else
      faults_.wrong(at(name), *value, "a number from 0 to 1000000 in steps of 0.001");
  }

  void bytes(std::string_view name, std::int64_t& into) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    try {
      into = parse_bytes(value->is_string()            ? value->get<std::string>()
                         : value->is_number_unsigned() ? value->dump()
                                                       : "x",
                         most_bytes);
    } catch (const std::invalid_argument& e) {
      faults_.wrong(at(name), *value, e.what());
    }
  }

  /// `word`, if not empty, stands for 0.
  void span(std::string_view name, duration& into, const std::string& word) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    if (!word.empty() && value->is_string() && value->get<std::string>() == word) {
      into = duration{0};
      return;
    }
    duration read{0};
    try {
      read = parse_duration(value->is_string() ? value->get<std::string>() : "x");
    } catch (const std::invalid_argument&) {
    }
    if (read >= std::chrono::milliseconds{1})
      into = std::chrono::duration_cast<std::chrono::milliseconds>(read);
    else
      faults_.wrong(at(name), *value,
                    "a duration of at least 1ms such as \"60s\"" +
                      (word.empty() ? "" : ", or \"" + word + '"'));
  }

  /// Calls `read(element, pointer)` for each element of an array.
  template <class F>
  void each(std::string_view name, std::size_t most, const std::string& expected, F read) {
    const auto* value = get(name);
    if (value == nullptr)
      return;
    if (!value->is_array())
      return faults_.wrong(at(name), *value, "an array of " + expected);
    if (value->size() > most)
      return faults_.add(at(name), "has " + std::to_string(value->size()) +
                                     " elements; expected at most " + std::to_string(most));
    for (std::size_t i = 0; i < value->size(); ++i)
      read((*value)[i], step(at(name), std::to_string(i)));
  }

  bool read_text(const json& value, const std::string& pointer, std::string& into,
                 std::size_t longest) {
    if (!value.is_string()) {
      faults_.wrong(pointer, value, "a text");
      return false;
    }
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > longest || text.find('\0') != std::string::npos) {
      faults_.wrong(pointer, value,
                    "a text of at most " + std::to_string(longest) + " bytes, none of them 0");
      return false;
    }
    into = text;
    return true;
  }

  void refuse_unknown() {
    for (const auto& [key, _] : from_.items())
      if (std::ranges::find(known_, key) == known_.end()) {
        const auto near = nearest_name(key, known_);
        std::string names;
        for (const auto name : known_)
          names += (names.empty() ? "" : ", ") + std::string{name};
        faults_.add(at(key), near.empty() ? "is unknown; expected one of " + names
                                          : "is unknown; did you mean " + std::string{near} + '?');
      }
  }

private:
  const json& from_;
  std::string pointer_;
  fault_list& faults_;
  std::vector<std::string_view> known_;
};

/// "zone=a" means "zone == a", unless another operator comes before.
std::string with_two_equals(std::string text) {
  const auto at = text.find_first_of("=<>");
  const bool single = at != std::string::npos && at > 0 && text[at] == '=' &&
                      text.compare(at, 2, "==") != 0 && text[at - 1] != '!' &&
                      text.rfind(" in ", at) == std::string::npos;
  if (single)
    text.insert(at, "=");
  return text;
}

void read_command(object_reader& in, const std::string& pointer, job_group_spec& group,
                  fault_list& faults) {
  std::size_t bytes = 0;
  const auto before = faults.all.size();
  in.each("command", job_limits::argv, "texts: the program and its arguments",
          [&](const json& value, const std::string& where) {
            std::string word;
            if (in.read_text(value, where, word, job_limits::command_bytes))
              bytes += word.size() + 1;
            group.argv.push_back(std::move(word));
          });
  if (faults.all.size() > before)
    return;
  if (group.argv.empty() || group.argv.front().empty())
    faults.add(pointer, "has no command; expected one such as [\"sleep\", \"1\"]");
  else if (bytes > job_limits::command_bytes)
    faults.add(in.at("command"), "has " + std::to_string(bytes) + " bytes; expected at most " +
                                   std::to_string(job_limits::command_bytes));
}

void read_env(object_reader& in, job_group_spec& group, fault_list& faults) {
  const auto* env = in.get("env");
  if (env == nullptr)
    return;
  if (!env->is_object() || env->size() > job_limits::variables)
    return faults.wrong(in.at("env"), *env,
                        "an object of at most " + std::to_string(job_limits::variables) +
                          " variables");
  std::size_t bytes = 0;
  for (const auto& [name, value] : env->items()) {
    const auto where = step(in.at("env"), name);
    if (name.empty() || name.find_first_of(std::string_view{"=\0", 2}) != std::string::npos)
      faults.add(where, "is no name of a variable; expected one without '='");
    else if (name.starts_with("TROUPE_"))
      faults.add(where, name + " is set by Troupe; expected another name");
    else
      in.read_text(value, where, group.env[name], job_limits::variable_bytes);
    bytes += name.size() + (value.is_string() ? value.get_ref<const std::string&>().size() : 0) + 2;
  }
  if (bytes > job_limits::variable_bytes) // values may be secrets: they are in no message
    faults.add(in.at("env"), "has " + std::to_string(bytes) + " bytes; expected at most " +
                               std::to_string(job_limits::variable_bytes));
}

void read_predecessors(object_reader& in, job_group_spec& group,
                       const std::vector<job_group_spec>& before, fault_list& faults) {
  in.each("after", job_limits::groups, "names of groups",
          [&](const json& value, const std::string& where) {
            const auto found = std::ranges::find_if(before, [&](const job_group_spec& g) {
              return value.is_string() && value.get_ref<const std::string&>() == g.name;
            });
            if (found == before.end())
              return faults.wrong(where, value, "the name of a group before this one");
            group.after.push_back(static_cast<std::uint32_t>(found - before.begin()));
          });
  std::ranges::sort(group.after);
  group.after.erase(std::unique(group.after.begin(), group.after.end()), group.after.end());
}

std::string milliseconds_text(duration d) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(d).count()) + "ms";
}

job_group_spec read_group(const json& from, job_origin origin, const std::string& pointer,
                          const std::vector<job_group_spec>& before, fault_list& faults) {
  job_group_spec group;
  group.name = before.empty() ? "tasks" : "tasks-" + std::to_string(before.size());
  if (!from.is_object()) {
    faults.wrong(pointer, from, "an object with a command");
    return group;
  }
  object_reader in{from, pointer, faults};
  in.text("name", group.name, job_limits::name);
  if (std::ranges::any_of(before, [&](const auto& g) { return g.name == group.name; }))
    faults.add(in.at("name"), "is the name of another group, too; expected one of its own");
  in.whole("count", group.count, 1, job_limits::tasks);
  in.each("entries", job_limits::tasks, "texts, one for each task",
          [&](const json& value, const std::string& where) {
            in.read_text(value, where, group.entries.emplace_back(), job_limits::command_bytes);
          });
  if (!group.entries.empty()) {
    if (from.contains("count") && group.count != group.entries.size())
      faults.add(in.at("count"), "differs from the number of entries, " +
                                   std::to_string(group.entries.size()) + "; expected no count");
    group.count = static_cast<std::uint32_t>(group.entries.size());
  }
  read_command(in, pointer, group, faults);
  read_env(in, group, faults);
  in.text("dir", group.dir, job_limits::path);
  if (!group.dir.empty() && !group.dir.starts_with('/'))
    faults.add(in.at("dir"), "is not an absolute path; expected one such as /tmp");
  in.thousandths("cpu", group.cpu_milli);
  in.bytes("memory", group.memory_bytes);
  in.thousandths("gpu", group.gpu_milli);
  in.whole("slots", group.slots, 0, most_units);
  in.each("constraints", job_limits::constraints, "texts such as \"zone=a\"",
          [&](const json& value, const std::string& where) {
            std::string text;
            if (!in.read_text(value, where, text, job_limits::command_bytes))
              return;
            try {
              group.constraints.push_back(parse_constraint(with_two_equals(text)));
            } catch (const std::invalid_argument& e) {
              faults.add(where, std::string{"expected "} + e.what());
            }
          });
  in.flag("gang", group.gang);
  read_predecessors(in, group, before, faults);
  in.whole("retries", group.retries, 0, 1'000);
  in.span("time_limit", group.time_limit, "none");
  in.span("grace", group.grace, "");
  in.span("lease", group.lease, "forever");
  if (origin == job_origin::client && group.lease > duration{0} &&
      group.lease < job_limits::shortest_lease)
    faults.add(in.at("lease"), "is " + milliseconds_text(group.lease) +
                                 "; expected at least 3s, as nodes renew leases each second");
  in.bytes("output_limit", group.output_limit_bytes);
  in.refuse_unknown();
  if (group.cpu_milli == 0 && group.memory_bytes == 0 && group.gpu_milli == 0 && group.slots == 0)
    group.cpu_milli = 1000;
  return group;
}

} // namespace

job_spec read_job(const json& from, job_origin origin, const place_of_pointer& place) {
  fault_list faults{place};
  job_spec spec;
  if (!from.is_object()) {
    faults.wrong("", from, "an object with groups");
    throw spec_error{std::move(faults.all)};
  }
  object_reader in{from, "", faults};
  in.text("name", spec.name, job_limits::name);
  in.text("tenant", spec.tenant, job_limits::name);
  if (spec.tenant.empty())
    faults.add("/tenant", "is empty; expected a name");
  in.whole("priority", spec.priority, -1'000'000, 1'000'000);
  in.each("after", job_limits::predecessors, "numbers of jobs",
          [&](const json& value, const std::string& where) {
            if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0 ||
                value.get<std::uint64_t>() > std::uint64_t{1} << 53)
              return faults.wrong(where, value, "the number of a job");
            spec.after.push_back(value.get<std::uint64_t>());
          });
  std::ranges::sort(spec.after);
  spec.after.erase(std::unique(spec.after.begin(), spec.after.end()), spec.after.end());
  std::uint64_t tasks = 0;
  in.each("groups", job_limits::groups, "objects, each with a command",
          [&](const json& value, const std::string& where) {
            spec.groups.push_back(read_group(value, origin, where, spec.groups, faults));
            tasks += spec.groups.back().count;
          });
  in.refuse_unknown();
  if (spec.groups.empty() && faults.all.empty())
    faults.add("", "has no groups; expected at least one, such as {\"groups\": [{\"command\": "
                   "[\"true\"]}]}");
  if (tasks > job_limits::tasks)
    faults.add("/groups", "have " + std::to_string(tasks) + " tasks; expected at most " +
                            std::to_string(job_limits::tasks));
  if (!faults.all.empty())
    throw spec_error{std::move(faults.all)};
  return spec;
}

} // namespace troupe
