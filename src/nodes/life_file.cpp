#include "nodes/life_file.hpp"

#include <fstream>
#include <stdexcept>

namespace troupe {

incarnation next_life(const std::filesystem::path& file) {
  incarnation life = 0;
  if (std::ifstream in{file}; in && !(in >> life))
    throw std::runtime_error(file.string() + ": a number is expected, the lives of the master");
  ++life;
  const auto fresh = file.string() + ".new";
  {
    std::ofstream out{fresh};
    out << life << '\n';
    if (!out.flush())
      throw std::runtime_error(fresh + ": cannot be written");
  }
  std::filesystem::rename(fresh, file);
  return life;
}

} // namespace troupe
