#include "report/results/keep_results.hpp"

#include <exception>
#include <system_error>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

kept_results keep_results(const results_directory& wanted, const run_results& results,
                          std::string_view config) try {
  kept_results kept;
  try {
    wanted.write(results, config);
    return {wanted.path(), ""};
  } catch (const std::exception& e) {
    kept.trouble = e.what();
  }
  if (wanted.stays_here())
    return kept;
  auto path = wanted.path().lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();
  const auto suffix = "-kept-" + std::to_string(getpid());
  std::error_code none;
  const auto temporary = fs::temp_directory_path(none);
  for (const auto& other : {fs::path{path.string() + suffix},
                            temporary / ("troupe-" + path.filename().string() + suffix)}) {
    bool is_new = false;
    try {
      is_new = fs::create_directories(other);
      results_directory{other}.write(results, config);
      kept.where = other;
      return kept;
    } catch (const std::exception&) {
      if (is_new)
        fs::remove_all(other, none);
    }
  }
  return kept;
} catch (const std::exception& e) {
  return {{}, e.what()};
}

} // namespace troupe
