#include "golden/readable.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace troupe::test {

namespace {

/// The fields of each message in the order in which they are written. One with a ? is left out
/// where it is 0, false or none.
const std::map<std::string_view, std::vector<std::string_view>> fields{
  {"capacity_report", {"owner", "number", "freed", "?changes"}},
  {"capacity_seen", {"number"}},
  {"commit_reply", {"owner", "id", "rejections", "?diversions", "?machines"}},
  {"commit_request",
   {"scheduler", "id", "answered_below", "reports_seen", "placements", "?mode", "?settles",
    "?alternatives", "?offers"}},
  {"job",
   {"id", "submitted", "estimate", "groups", "?group", "?tenant", "?priority", "?gang", "?spread",
    "?at_once", "?mold"}},
  {"moldability", {"?requested", "least", "most", "runtime", "estimate", "speedup", "?settled"}},
  {"speedup_model", {"kind", "bits"}},
  {"cancellation", {"scheduler", "job"}},
  {"get_task_request", {"job", "?group", "machine", "placed_on", "length_met"}},
  {"task_requests", {"all"}},
  {"launch_order",
   {"task", "launcher", "demand", "runtime", "grant", "?by_scheduler", "?estimate"}},
  {"machine_order",
   {"what", "scheduler", "?priority", "?tenant", "?kill", "?owner_incarnation", "?incarnation",
    "?number"}},
  {"freed_amount", {"machine", "framework", "amount"}},
  {"partition_snapshot", {"partition", "taken_at", "free", "versions", "?held", "?version"}},
  {"held_band", {"priority", "cells"}},
  {"placement",
   {"task", "machine", "seen_version", "demand", "runtime", "?priority", "?tenant", "?preempts",
    "?estimate"}},
  {"preempted_task", {"task", "machine", "at", "ran"}},
  {"rejection", {"index", "cause", "winner", "version", "free", "?partition_version"}},
  {"peers", {"?owners", "?schedulers", "?allocators", "?machines"}},
  {"probe_answer", {"round", "index", "length"}},
  {"queue_entry", {"kind", "order", "?group", "?tenant", "?priority", "placed_on", "?length_met"}},
  {"queue_probe", {"scheduler", "round", "index", "demand"}},
  {"report_seen", {"scheduler", "number"}},
  {"stolen_entries", {"from", "entries"}},
  {"submission", {"jobs"}},
  {"sync_round", {"number"}},
  {"sync_update", {"owner", "round", "commits_seen", "partitions", "?used"}},
  {"task_assignment", {"?none", "?group", "order", "?cancels"}},
  {"task_end", {"task", "machine", "outcome", "at", "grant"}},
  {"task_ends", {"ends"}},
  {"task_group", {"count", "demand", "durations", "?constraints", "?task_class", "?after"}},
  {"alternative", {"index", "machine", "seen_version"}},
  {"diversion", {"index", "machine"}},
  {"machine_news", {"machine", "version", "free"}},
  {"task_news", {"started", "ended"}},
  {"task_start", {"task", "machine", "at"}},
  {"constraint", {"attribute", "op", "values"}},
  {"machine_amount", {"machine", "amount"}},
  {"machine_change", {"machine", "present", "?gain"}},
  {"machine_capacity", {"machine", "capacity"}},
  {"offer_answer",
   {"framework", "first", "last", "used", "?returned", "?wants", "?suppresses", "?gangs"}},
  {"offer_recall", {"id", "settled_below", "?rescind"}},
  {"resource_offer", {"id", "settled_below", "machines"}},
  {"task_report", {"owner", "number", "ends", "?changes", "?preempted"}},
};

class rewriter {
public:
  explicit rewriter(std::string_view text) : left_(text) {}

  std::string message() {
    take("(");
    auto what = name();
    if (left_.starts_with("("))
      if (const auto text = arguments(what); !text.empty())
        what += " " + text;
    while (left_.starts_with(", ")) {
      take(", ");
      what += " " + value();
    }
    return what;
  }

private:
  void take(std::string_view expected) {
    if (left_.starts_with(expected))
      left_.remove_prefix(expected.size());
  }

  std::string name() {
    const auto end = std::min(left_.find_first_of("(),[]"), left_.size());
    std::string text{left_.substr(0, end)};
    left_.remove_prefix(end);
    std::erase(text, '\'');
    return text;
  }

  std::string value() {
    if (left_.starts_with("["))
      return list();
    const auto text = name();
    if (left_.starts_with("("))
      return "{" + arguments(text) + "}";
    if (text == "4294967295") // no grant, no scheduler
      return "none";
    return text == "0d" ? "0s" : text; // CAF's word for no time at all
  }

  std::string list() {
    std::string text;
    for (take("["); !left_.starts_with("]") && !left_.empty(); take(", "))
      text += (text.empty() ? "" : ", ") + value();
    take("]");
    return text.empty() ? "none" : "[" + text + "]";
  }

  std::string arguments(const std::string& of) {
    const auto names = fields.find(of);
    std::string text;
    std::size_t i = 0;
    for (take("("); !left_.starts_with(")") && !left_.empty(); take(", ")) {
      const auto what = value();
      std::string_view field;
      if (names != fields.end() && i < names->second.size())
        field = names->second[i];
      ++i;
      const bool optional = field.starts_with('?');
      const bool rigid = field == "?mold" && !what.starts_with("{requested");
      if (what == "<unprintable>" || rigid ||
          (optional && (what == "0" || what == "0s" || what == "false" || what == "none" ||
                        what == "each" || what == "[0, 0, 0, 0]")))
        continue;
      text += text.empty() ? "" : ", ";
      if (!field.empty())
        text += std::string{field.substr(optional)} + " ";
      text += what;
    }
    take(")");
    return text;
  }

  std::string_view left_;
};

} // namespace

std::string readable(std::string_view message) {
  if (const auto address = message.find('@'); address != std::string_view::npos)
    message = message.substr(0, message.find_first_of("(,", 1));
  return rewriter{message}.message();
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

} // namespace troupe::test
