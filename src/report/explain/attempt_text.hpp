#pragma once

#include "report/explain/explain_names.hpp"
#include "report/explain/task_story.hpp"

#include <cstddef>
#include <string>

namespace troupe {

/// Renders one attempt of a task as sentences.
class attempt_text {
public:
  /// `number` counts the attempts of the task from 1; there are `of`. All of these must outlive it.
  attempt_text(const story_attempt& attempt, std::size_t number, std::size_t of,
               const explain_names& names)
    : a_(attempt), number_(number), of_(of), names_(names) {}

  std::string picked() const;    ///< from which machines it was picked; there must be a pick
  std::string committed() const; ///< by a plugin, of which nothing else is known
  std::string sent() const;      ///< without a decision on a view
  std::string granted() const;
  std::string refused() const;
  std::string open() const; ///< there is no answer yet

private:
  std::string count() const;
  std::string winner() const;

  const story_attempt& a_;
  std::size_t number_;
  std::size_t of_;
  const explain_names& names_;
};

} // namespace troupe
