#include "report/columns/columns.hpp"

namespace troupe {

namespace {

struct file_columns {
  std::string_view file;
  std::string_view about;
  std::span<const file_column> columns;
};

constexpr std::string_view page_top =
  "<!-- written by ./dev reference from src/report/columns: change it there -->\n\n"
  "# Columns of the files of a run\n\n"
  "Files of records are described in [records.md](records.md), the others in\n"
  "[tour.md](tour.md#what-a-run-writes). Times count from the start of the run. Shares are numbers "
  "from 0 to 1.\nAn empty cell means that a value was not measured, or does not apply.\n";

void add_cells_of(std::string& to, std::string_view name, std::string_view unit,
                  std::string_view meaning) {
  to.append("| `").append(name).append("` | ").append(unit);
  to.append(unit.empty() ? "| " : " | ").append(meaning).append(" |\n");
}

void add_section(std::string& to, const file_columns& t) {
  to.append("\n## ").append(t.file).append("\n\n").append(t.about).append("\n\n");
  to.append("| column | unit | meaning |\n|---|---|---|\n");
  for (const auto& c : t.columns)
    add_cells_of(to, c.name, c.unit, c.meaning);
}

} // namespace

std::string names_of(std::span<const file_column> columns) {
  std::string names;
  for (const auto& c : columns)
    names.append(names.empty() ? "" : ",").append(c.name);
  return names;
}

std::string columns_page() {
  std::string page{page_top};
  add_section(page,
              {"timeseries.csv",
               "A row for each interval and group of jobs. An interval in which a phase of the "
               "workload begins or ends is divided there. In runs whose policies change, a column "
               "`policy` follows.",
               timeseries_columns()});
  add_section(
    page, {"jobs.csv.gz", "A row for each job, with `--records jobs` or `tasks`.", job_columns()});
  add_section(page,
              {"tasks.csv.gz", "A row for each task, with `--records tasks`.", task_columns()});
  add_section(page, {"attempts.csv.gz",
                     "A row for each refused placement, with `--records jobs` or `tasks`.",
                     attempt_columns()});
  add_section(page,
              {"schedulers.csv", "A row for each interval and scheduler.", scheduler_columns()});
  add_section(page,
              {"partitions.csv", "A row for each interval and partition, or for several of either.",
               partition_columns()});
  add_section(page, {"delays.csv", "A row for each group of jobs and bin of scheduling delays.",
                     delay_columns()});
  add_section(page, {"tenants.csv", "A row for each interval and tenant, if there are several.",
                     share_columns()});
  add_section(page,
              {"events.csv", "A row for each failure and its end, and for what happens to nodes.",
               event_columns()});
  return page;
}

} // namespace troupe
