#include "jobs/store/store_place.hpp"

#include "jobs/store/job_database.hpp"
#include "settings/checks/store_address.hpp"

namespace troupe {

store_place store_place::read(const std::string& text) {
  if (is_store_address(text)) {
    if (const auto fault = fault_of_store_address(text))
      throw store_refused{"STORE is " + fault->is + "; expected " + fault->expected};
    return {{}, text};
  }
  std::error_code none;
  std::filesystem::path file{text};
  if (std::filesystem::is_directory(file, none))
    file /= store_file_name;
  return {file, {}};
}

} // namespace troupe
