#pragma once

#include "nodes/routing/node_messages.hpp"

#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <map>
#include <utility>

namespace troupe {

/// Questions after stories of tasks that have not been answered yet.
class open_stories {
public:
  /// Returns the number of a question.
  std::uint64_t add(caf::typed_response_promise<story_reply> asked) {
    open_.emplace(++asked_, std::move(asked));
    return asked_;
  }

  /// Answers a question, if it is open.
  void answer(std::uint64_t number, story_reply reply) {
    const auto it = open_.find(number);
    if (it == open_.end())
      return;
    it->second.deliver(std::move(reply));
    open_.erase(it);
  }

private:
  std::uint64_t asked_ = 0;
  std::map<std::uint64_t, caf::typed_response_promise<story_reply>> open_;
};

} // namespace troupe
