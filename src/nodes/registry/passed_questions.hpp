#pragma once

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// The questions that a gateway has passed on to other nodes and that are not answered yet. One
/// that went to a node whose connection breaks gets no answer: it fails at once, and not when its
/// time is over, so that the asker can turn to the next node.
class passed_questions {
public:
  using failure = std::function<void(const caf::error&)>;

  /// Returns the number of a question.
  std::uint64_t add(caf::actor_addr to, failure fail) {
    open_.emplace(++last_, question{std::move(to), std::move(fail)});
    return last_;
  }

  /// The question is answered, or its time is over. Returns false if it has failed before.
  bool close(std::uint64_t number) { return open_.erase(number) > 0; }

  /// Fails the questions to a node.
  void fail(const caf::actor_addr& to, const caf::error& why) {
    std::vector<failure> failures;
    std::erase_if(open_, [&](auto& entry) {
      if (entry.second.to != to)
        return false;
      failures.push_back(std::move(entry.second.fail));
      return true;
    });
    for (const auto& fail : failures)
      fail(why);
  }

private:
  struct question {
    caf::actor_addr to;
    failure fail;
  };

  std::uint64_t last_ = 0;
  std::map<std::uint64_t, question> open_;
};

} // namespace troupe
