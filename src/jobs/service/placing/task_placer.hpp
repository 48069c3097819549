#pragma once

#include "jobs/service/work_tables.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// Collects queued tasks, and hands those of one group out together at the end of each operation of
/// the work book.
class task_placer {
public:
  explicit task_placer(work_tables& tables) : tables_(tables) {}

  /// Takes a touched task of a group.
  void place_later(const live_job& j, const live_group& g, std::uint32_t in_group) {
    to_place_[{j.row.id, g.number}].push_back(in_group);
  }

  /// Takes all untouched tasks of a group.
  void place_rest_later(const live_job& j, const live_group& g) { place_later(j, g, g.count); }

  /// Hands out the collected tasks that are still queued and not handed out.
  void place_all();

private:
  /// Numbers in the group, by job and group. The number behind the last task stands for all
  /// untouched ones.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>> to_place_;
  work_tables& tables_;
};

} // namespace troupe
