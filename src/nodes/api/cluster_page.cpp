#include "nodes/api/cluster_page.hpp"

#include "report/metrics/metrics_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// Before the first answer, so many looks may fail without a note.
constexpr int looks_at_first = 5;

constexpr std::size_t most_enquiries = 16;

web_response response_of(story_reply told) {
  const auto known = {200u, 202u, 400u, 404u, 500u, 501u, 503u, 504u};
  auto out = json_response(std::move(told.text));
  out.status = std::ranges::find(known, told.status) == known.end() ? 500 : told.status;
  return out;
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
  : host_(std::move(host)), live_(std::make_unique<cluster_live>(host_.connect)), page_(sources()) {
  board_->change([](live_state& state) { state.about.world = "cluster"; });
  const auto routes = std::make_shared<route_table>();
  page_.mount(*routes);
  if (host_.mount)
    host_.mount(*routes);
  server_ = std::make_unique<web_server>(where, routes);
}

live_sources cluster_page::sources() {
  live_sources made;
  made.board = board_;
  made.metrics = [board = board_] { return board->read(metrics_text); };
  made.explain = [this](const web_request& request, const web_reply& reply) {
    enquire({request.value("task")}, reply);
  };
  made.why_not = [this](const web_request& request, const web_reply& reply) {
    if (!request.value("at").empty())
      return reply(error_response(400, "'at' is for runs in virtual time; expected no 'at', as the "
                                       "records of a cluster tell of no instant"));
    enquire({request.value("task"), true, request.value("machine")}, reply);
  };
  return made;
}

void cluster_page::enquire(story_request about, const web_reply& reply) {
  {
    const std::lock_guard lock{mutex_};
    if (enquiries_.size() >= most_enquiries)
      return reply(
        error_response(503, "too many tasks are being explained; ask again in a second"));
    enquiries_.push_back({std::move(about), reply});
  }
  if (host_.wake)
    host_.wake();
}

void cluster_page::answer() {
  auto enquiries = [&] {
    const std::lock_guard lock{mutex_};
    return std::exchange(enquiries_, {});
  }();
  for (const auto& [about, reply] : enquiries)
    try {
      reply(response_of(live_->story(about)));
    } catch (const std::runtime_error& e) {
      reply(error_response(503, e.what()));
    }
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
