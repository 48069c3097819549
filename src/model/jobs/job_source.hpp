#pragma once

#include "model/jobs/job.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace troupe {

/// The input cannot be read further, or its jobs cannot be run.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A stream of jobs, from a generator or a trace, in the order of submission.
class job_source {
public:
  virtual ~job_source() = default;

  /// Returns the next job, whose `submitted` is never earlier than that of the job before, or
  /// nothing at the end of the stream. Job ids count from 0; a reader of several sources makes them
  /// unique. Throws `std::runtime_error` with a message for the user if the input is unreadable.
  virtual std::optional<job> next() = 0;

  /// Returns whether jobs may come after `next` has returned nothing: jobs of clients, which are
  /// submitted when they come and have numbers of their own.
  virtual bool goes_on() const { return false; }

  /// Returns when jobs of clients are first submitted: those that come earlier wait until then.
  virtual instant opens() const { return instant{0}; }

  /// Has `call` called, by any thread, whenever jobs have come; empty: no longer.
  virtual void when_more(std::function<void()> call) { (void)call; }

  /// Returns the numbers of such jobs, all of which `next` has returned, none of whose tasks has to
  /// be placed any more, since the last call.
  virtual std::vector<job_id> take_withdrawn() { return {}; }

  /// A task of one of these jobs is over for the schedulers, however it ended.
  virtual void note_over(const task_id& task, task_fate fate) {
    (void)task;
    (void)fate;
  }

  /// Returns whether jobs may wait for the ends of others. Then call `note_end`. After this, `next`
  /// may return a job that is due before the job returned last: if that job was not submitted, give
  /// it back first.
  virtual bool hears_ends() const { return false; }

  /// Returns whether jobs wait for the ends of others now, so that they may come after `next` has
  /// returned nothing.
  virtual bool jobs_wait() const { return false; }

  /// A task of the job with this number, counted from 0 in the order of submission, is over at
  /// `at`.
  virtual void note_end(std::uint64_t number, instant at) {
    (void)number;
    (void)at;
  }

  /// Takes back the job returned last.
  virtual void give_back(job last) { (void)last; }

  /// Returns the number of rows of the input that were left out so far, by reason; empty for
  /// sources that read no rows.
  virtual std::map<std::string, std::uint64_t> skipped_rows() const { return {}; }

  /// Returns how much earlier jobs are submitted than in their trace.
  virtual duration moved() const { return duration{0}; }
};

} // namespace troupe
