#include "nodes/agent/incarnation_file.hpp"

#include <fstream>
#include <stdexcept>

namespace troupe {

incarnation_id next_incarnation(const std::filesystem::path& file) {
  incarnation_id incarnation = 0;
  if (std::ifstream in{file}; in && !(in >> incarnation))
    throw std::runtime_error(file.string() +
                             ": a number is expected, the incarnations of the master");
  ++incarnation;
  const auto fresh = file.string() + ".new";
  {
    std::ofstream out{fresh};
    out << incarnation << '\n';
    if (!out.flush())
      throw std::runtime_error(fresh + ": cannot be written");
  }
  std::filesystem::rename(fresh, file);
  return incarnation;
}

} // namespace troupe
