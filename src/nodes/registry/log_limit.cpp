#include "nodes/registry/log_limit.hpp"

namespace troupe {

bool log_limit::admits(const std::string& kind, time now) {
  const auto [it, is_new] = kinds_.try_emplace(kind);
  auto& of = it->second;
  if (is_new || (of.left_out == 0 && now - of.since >= interval_))
    of = {now, 0, 0};
  if (of.written < most_) {
    ++of.written;
    return true;
  }
  ++of.left_out;
  return false;
}

std::vector<std::pair<std::string, std::uint64_t>> log_limit::take_left_out(time now) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  std::erase_if(kinds_, [&](const auto& entry) {
    const auto& [kind, of] = entry;
    if (now - of.since < interval_)
      return false;
    if (of.left_out > 0)
      all.emplace_back(kind, of.left_out);
    return true;
  });
  return all;
}

} // namespace troupe
