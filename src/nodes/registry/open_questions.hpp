#pragma once

#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <map>
#include <utility>

namespace troupe {

/// Questions to a node that are answered later, by another thread.
template <class Reply>
class open_questions {
public:
  /// Returns the number of a question.
  std::uint64_t add(caf::typed_response_promise<Reply> asked) {
    open_.emplace(++asked_, std::move(asked));
    return asked_;
  }

  /// Answers a question, if it is open.
  void answer(std::uint64_t number, Reply reply) { deliver(number, std::move(reply)); }
  void refuse(std::uint64_t number, caf::error why) { deliver(number, std::move(why)); }

private:
  template <class Value>
  void deliver(std::uint64_t number, Value value) {
    const auto it = open_.find(number);
    if (it == open_.end())
      return;
    it->second.deliver(std::move(value));
    open_.erase(it);
  }

  std::uint64_t asked_ = 0;
  std::map<std::uint64_t, caf::typed_response_promise<Reply>> open_;
};

} // namespace troupe
