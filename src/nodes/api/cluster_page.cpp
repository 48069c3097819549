#include "nodes/api/cluster_page.hpp"

#include "report/metrics/metrics_text.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Before the first answer, so many looks may fail without a note.
constexpr int looks_at_first = 5;

live_sources sources_of_cluster(const std::shared_ptr<live_board>& board) {
  live_sources made;
  made.board = board;
  made.metrics = [board] { return board->read(metrics_text); };
  made.why_no_explain = "tasks of a cluster are explained from its records: 'troupe explain TASK "
                        "--in DIR/results', after a workload with --records tasks; see "
                        "docs/explain.md";
  return made;
}

/// The run of a state and its events, in one text.
std::string story_of(const live_state& state) {
  auto text = state.about.run;
  for (const auto& e : state.events)
    text += '\n' + std::to_string(e.at.count()) + e.what + e.member + e.detail;
  return text;
}

} // namespace

cluster_page::cluster_page(cluster_page_host host, const web_options& where)
  : host_(std::move(host)),
    live_(std::make_unique<cluster_live>(host_.connect)),
    page_(sources_of_cluster(board_)) {
  board_->change([](live_state& state) { state.about.world = "cluster"; });
  const auto routes = std::make_shared<route_table>();
  page_.mount(*routes);
  server_ = std::make_unique<web_server>(where, routes);
}

std::string cluster_page::look() {
  const auto why = live_->poll();
  if (!why.empty()) {
    // A node that starts has no connections yet.
    if (!silent_ && (answered_ || ++unanswered_ >= looks_at_first)) {
      silent_ = true;
      note("silent", why);
    }
    look_for_another();
  } else {
    if (std::exchange(silent_, false))
      note("back", "the cluster answers");
    answered_ = true;
  }
  show();
  return why;
}

void cluster_page::note(const std::string& what, const std::string& detail) {
  if (host_.say)
    host_.say(detail);
  own_events_.push_back({0, live_->shown().now, what, "", detail});
  if (own_events_.size() > most_live_events)
    own_events_.erase(own_events_.begin());
}

void cluster_page::look_for_another() {
  if (!host_.find_another)
    return;
  if (auto other = host_.find_another(); other && other->poll().empty())
    live_ = std::move(other);
}

void cluster_page::show() {
  auto state = live_->shown();
  state.about.world = "cluster";
  state.events.insert(state.events.end(), own_events_.begin(), own_events_.end());
  std::ranges::stable_sort(state.events, {}, &live_event::at);
  state.events_so_far = 0;
  for (auto& e : state.events)
    e.number = ++state.events_so_far;
  auto story = story_of(state);
  board_->change([&](live_state& board) { board = std::move(state); });
  if (std::exchange(shown_, story) != story)
    page_.show_all();
  else
    page_.refresh();
}

} // namespace troupe
