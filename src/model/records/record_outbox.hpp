#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "model/records/record_book.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace troupe {

/// Hands the finished records of a scheduler to the recorder, in its answers. Where answers may be
/// lost, each answer has a number and a limited size, and the records of one are repeated until the
/// recorder has acknowledged it.
class record_outbox {
public:
  /// Most records of an answer that may be lost or travels between processes: about 4 MB.
  static constexpr std::size_t most_at_a_time = 20'000;

  explicit record_outbox(record_book book) : book_(std::move(book)) {}

  record_book& book() { return book_; }
  const record_book& book() const { return book_; }

  /// Returns all finished records; with `last`, also those of jobs and tasks that are not over,
  /// with the reasons that `why` says.
  record_batch take(bool last, const record_book::reason_lookup& why = {}) {
    finish(last, why);
    return book_.take(std::numeric_limits<std::size_t>::max());
  }

  /// Returns the records for the answer `now`, if the last answer that the recorder has received is
  /// `heard`.
  record_batch answer(const sample_mark& heard, const sample_mark& now, bool last,
                      const record_book::reason_lookup& why = {}) {
    finish(last, why);
    if (heard.incarnation == now.incarnation && heard.number >= first_)
      under_way_ = {};
    if (under_way_.empty()) {
      under_way_ = book_.take(most_at_a_time);
      first_ = now.number;
    }
    return under_way_;
  }

private:
  void finish(bool last, const record_book::reason_lookup& why) {
    if (last && !std::exchange(finished_, true))
      book_.finish_open(why);
  }

  record_book book_;
  record_batch under_way_;
  std::uint64_t first_ = 0; ///< the number of the first answer with these
  bool finished_ = false;
};

} // namespace troupe
