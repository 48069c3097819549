#include "support/trace_check.hpp"

#include <map>
#include <set>
#include <utility>

namespace troupe::test {

namespace {

using nlohmann::json;

/// Times are multiples of a nanosecond, given in microseconds.
long long nanos(const json& us) {
  const auto x = us.get<double>() * 1000;
  return static_cast<long long>(x < 0 ? x - 0.5 : x + 0.5);
}

class checker {
public:
  std::vector<std::string> run(const json& trace) {
    if (!trace.contains("traceEvents") || !trace["traceEvents"].is_array())
      return {"no events"};
    for (const auto& e : trace["traceEvents"]) {
      ++at_;
      look(e);
    }
    const auto& about = trace["otherData"];
    if (about.value("events", -1) != events_)
      fault("the number of events is wrong");
    for (const auto& track : used_)
      if (!threads_.contains(track))
        fault("a track without a name: " + std::to_string(track.first) + '/' +
              std::to_string(track.second));
    for (const auto process : processes_used_)
      if (!processes_.contains(process))
        fault("a process without a name: " + std::to_string(process));
    for (const auto& [key, open] : open_)
      for (const auto& name : open)
        if (!name.starts_with("job ") && !name.starts_with("task "))
          fault("no end: " + name + ' ' + key);
    for (const auto& [number, name] : departed_)
      if (name.starts_with("commit") && !arrived_.contains(number))
        fault("an arrow that arrives nowhere: " + number);
    return faults_;
  }

private:
  void fault(const std::string& what) {
    if (faults_.size() < 20)
      faults_.push_back("event " + std::to_string(at_) + ": " + what);
  }

  void look(const json& e) {
    for (const auto* member : {"name", "ph", "pid", "tid"})
      if (!e.contains(member))
        return fault(std::string{"no "} + member);
    const auto kind = e["ph"].get<std::string>();
    const auto process = e["pid"].get<long long>();
    const auto thread = e["tid"].get<long long>();
    if (process < 1 || thread < 1)
      return fault("a number below 1");
    if (kind == "M")
      return look_at_name(e, process, thread);
    ++events_;
    processes_used_.insert(process);
    const auto from = nanos(e.at("ts"));
    if (from < last_)
      fault("earlier than the one before");
    last_ = from;
    if (kind == "X")
      look_at_slice(e, {process, thread}, from);
    else if (kind == "b" || kind == "n" || kind == "e")
      look_at_part(e, kind, process);
    else if (kind == "C")
      look_at_counter(e);
    else if (kind != "i")
      fault("unknown kind " + kind);
    else if (const auto scope = e.value("s", ""); scope != "g" && scope != "p")
      fault("a mark of nothing");
    else
      used_.insert({process, thread});
    look_at_flow(e, kind);
  }

  void look_at_name(const json& e, long long process, long long thread) {
    const auto what = e["name"].get<std::string>();
    const auto& about = e.at("args");
    if (events_ > 0)
      fault("a name after events");
    if (what == "process_name")
      processes_[process] = about.at("name").get<std::string>();
    else if (what == "thread_name")
      threads_[{process, thread}] = about.at("name").get<std::string>();
    else if (what != "process_sort_index" && what != "thread_sort_index")
      fault("unknown name " + what);
  }

  void look_at_slice(const json& e, const std::pair<long long, long long>& track, long long from) {
    used_.insert(track);
    const auto length = nanos(e.at("dur"));
    if (length < 0)
      fault("a negative length");
    auto& open = slices_[track];
    while (!open.empty() && open.back() <= from)
      open.pop_back();
    if (!open.empty() && (from + length > open.back() || track.first >= 1000))
      fault("a slice that overlaps another: " + e["name"].get<std::string>());
    if (length > 0)
      open.push_back(from + length);
  }

  void look_at_part(const json& e, const std::string& kind, long long process) {
    const auto name = e["name"].get<std::string>();
    const auto key = std::to_string(process) + '/' + e.at("cat").get<std::string>() + '/' +
                     e.at("id2").at("local").get<std::string>();
    auto& open = open_[key];
    if (kind == "b")
      open.push_back(name);
    else if (open.empty())
      fault("nothing is open: " + name + ' ' + key);
    else if (kind == "e" && open.back() != name)
      fault("the end of another: " + name + " instead of " + open.back());
    else if (kind == "e")
      open.pop_back();
  }

  void look_at_counter(const json& e) {
    const auto& values = e.at("args");
    if (values.size() != 1 || !values.begin()->is_number())
      fault("not one value: " + e["name"].get<std::string>());
  }

  void look_at_flow(const json& e, const std::string& kind) {
    const bool in = e.value("flow_in", false);
    const bool out = e.value("flow_out", false);
    if (!e.contains("bind_id")) {
      if (in || out)
        fault("an arrow without a number");
      return;
    }
    if (kind == "i" || kind == "C" || kind == "e")
      fault("an arrow where none is read");
    const auto number = e["bind_id"].get<std::string>();
    if (!in && !out)
      fault("an arrow without a direction");
    if (in && !departed_.contains(number))
      fault("an arrow from nowhere: " + number);
    if (in)
      arrived_.insert(number);
    if (out && !in && !departed_.emplace(number, e["name"].get<std::string>()).second)
      fault("an arrow departs twice: " + number);
  }

  std::vector<std::string> faults_;
  long long at_ = 0;
  long long events_ = 0;
  long long last_ = -1;
  std::map<long long, std::string> processes_;
  std::map<std::pair<long long, long long>, std::string> threads_;
  std::set<long long> processes_used_;
  std::set<std::pair<long long, long long>> used_;
  std::map<std::pair<long long, long long>, std::vector<long long>> slices_; ///< their ends
  std::map<std::string, std::vector<std::string>> open_;
  std::map<std::string, std::string> departed_;
  std::set<std::string> arrived_;
};

} // namespace

std::vector<std::string> faults_of(const nlohmann::json& trace) {
  return checker{}.run(trace);
}

} // namespace troupe::test
