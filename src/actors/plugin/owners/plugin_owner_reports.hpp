#pragma once

#include "actors/plugin/owners/plugin_task_locations.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace troupe {

/// Books the reports of owners to a plugin's member: each report once, after the one before it, and
/// after the answer that granted its tasks. A report that comes too early is kept until then.
class plugin_owner_reports {
public:
  plugin_owner_reports(plugin_member_tables& tables, shown_room& room,
                       plugin_task_locations& locations)
    : tables_(tables), room_(room), locations_(locations), from_(tables.setup.owners()) {}

  /// The number up to which the reports of an owner have been booked. Throws `std::out_of_range` if
  /// there is no such owner.
  std::uint64_t seen(owner_id owner) const { return from_.at(owner).seen; }

  /// Books a report, or keeps it. One that was booked before changes nothing. Throws
  /// `std::out_of_range` if there is no such owner.
  void receive(const task_report& report);

  /// Books the kept reports of an owner that are not too early any more.
  void book_kept(owner_id owner);

  /// Begins a session with an owner, whose statement counts as its first report. The kept reports
  /// of earlier sessions mean nothing any more.
  void begin_session(owner_id owner, std::uint64_t session);

  /// Notes that the statement that began the session with an owner has been booked.
  void statement_booked(owner_id owner);

private:
  struct entry {
    std::uint64_t seen = 0;
    std::map<std::uint64_t, task_report> early; ///< by number
  };

  bool awaits_answer(const task_report& report) const;

  /// Returns false if it is too early.
  bool book(const task_report& report);

  plugin_member_tables& tables_;
  shown_room& room_;
  plugin_task_locations& locations_;
  std::vector<entry> from_; ///< by owner
};

} // namespace troupe
