#include "web/message.hpp"

#include <nlohmann/json.hpp>

#include <atomic>

namespace troupe {

struct web_reply::state {
  explicit state(sink to) : to_(std::move(to)) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (!done_.exchange(true))
      to_(error_response(500, "the request was dropped without an answer"));
  }

  void answer(web_response response) {
    if (!done_.exchange(true))
      to_(std::move(response));
  }

private:
  sink to_;
  std::atomic<bool> done_{false};
};

web_reply::web_reply(sink to) : state_(std::make_shared<state>(std::move(to))) {}

void web_reply::operator()(web_response response) const {
  state_->answer(std::move(response));
}

web_response json_response(std::string text) {
  web_response made;
  made.body = std::move(text);
  return made;
}

web_response error_response(unsigned status, std::string_view what) {
  const nlohmann::json body{{"error", what}};
  web_response made;
  made.status = status;
  // A request may be quoted, and it may not be UTF-8.
  made.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  return made;
}

} // namespace troupe
