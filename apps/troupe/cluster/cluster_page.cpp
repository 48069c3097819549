#include "cluster/cluster_page.hpp"

#include "commands/commands.hpp"
#include "report/metrics/metrics_text.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

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

cluster_page::cluster_page(const cluster_access& access, const web_options& where)
  : access_(access), page_(sources_of_cluster(board_)) {
  const auto to = contact_of(access_);
  at_ = to.at;
  live_ = std::make_unique<cluster_live>(to);
  if (const auto why = live_->poll(); !why.empty())
    throw std::runtime_error(why);
  show();
  const auto routes = std::make_shared<route_table>();
  page_.mount(*routes);
  try {
    server_ = std::make_unique<web_server>(where, routes);
  } catch (const std::exception& e) {
    throw usage_error{std::string{"serve: "} + e.what() + (where.tls ? "" : "; see also --tls")};
  }
}

void cluster_page::look() {
  if (const auto why = live_->poll(); !why.empty()) {
    if (answers_)
      note("silent", why);
    answers_ = false;
    look_for_another();
  } else if (!answers_) {
    answers_ = true;
    note("back", "the cluster answers again");
  }
  show();
}

void cluster_page::note(const std::string& what, const std::string& detail) {
  std::cerr << "troupe: " << detail << std::endl;
  own_events_.push_back({0, live_->shown().now, what, "", detail});
  if (own_events_.size() > most_live_events)
    own_events_.erase(own_events_.begin());
}

void cluster_page::look_for_another() {
  try {
    const auto to = contact_of(access_);
    if (to.at.host == at_.host && to.at.port == at_.port)
      return;
    auto other = std::make_unique<cluster_live>(to);
    if (!other->poll().empty())
      return;
    at_ = to.at;
    live_ = std::move(other);
  } catch (const usage_error&) {
    // There is no cluster now.
  }
}

void cluster_page::show() {
  auto state = live_->shown();
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
