#include "report/explain/record_rows_of.hpp"

#include "report/records/record_reader.hpp"

namespace troupe {

job_rows read_job_rows(const std::filesystem::path& directory, job_id job) {
  job_rows rows;
  rows.recorded = std::filesystem::exists(directory / "jobs.csv.gz");
  rows.tasks_recorded = std::filesystem::exists(directory / "tasks.csv.gz");
  auto found = read_rows_of(directory / "jobs.csv.gz", job, {});
  if (!found.empty())
    rows.of_job = std::move(found.front());
  return rows;
}

std::vector<record_row> read_rows_of(const std::filesystem::path& file, job_id job,
                                     std::optional<std::uint32_t> task) {
  if (!std::filesystem::exists(file))
    return {};
  record_reader in{file};
  const auto wanted = std::to_string(job);
  const auto index = task ? std::to_string(*task) : std::string{};
  const auto of_job = in.column("job");
  const auto of_task = task ? in.column("task") : of_job;
  std::vector<record_row> rows;
  while (in.next()) {
    if (in.text(of_job) != wanted || (task && in.text(of_task) != index))
      continue;
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < in.header().size(); ++i)
      row[in.header()[i]] = in.text(i);
  }
  return rows;
}

} // namespace troupe
