#include "experiments/processes/folder_names.hpp"

namespace troupe {

namespace {

constexpr std::size_t longest_folder = 100;

std::string safe_name(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (c == ' ')
      continue;
    else
      out += c == '/' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return out;
}

} // namespace

std::string folder_names::next(const std::string& name) {
  ++number_;
  auto folder = safe_name(name);
  const bool elsewhere = folder.empty() || folder == "." || folder == "..";
  if (elsewhere || folder.size() > longest_folder || !used_.insert(folder).second)
    for (auto n = number_; !used_.insert(folder = otherwise_ + '-' + std::to_string(n)).second; ++n)
      ;
  return folder;
}

} // namespace troupe
