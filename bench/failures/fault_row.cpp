#include "failures/fault_row.hpp"

namespace troupe::trials {

const std::vector<fault_row>& fault_rows() {
  using enum fault_action;
  static const std::vector<fault_row> rows{
    {"machine node killed", kill, "h1"},
    {"scheduler node killed", kill, "s1"},
    {"owner node killed", kill, "o1"},
    {"master killed, started later", outage, "m"},
    {"machine node frozen", freeze, "h1"},
    {"scheduler node frozen", freeze, "s1"},
    {"owner node frozen", freeze, "o1"},
    {"master frozen", freeze, "m"},
    {"machine node restarted at once", restart, "h1"},
    {"scheduler node restarted at once", restart, "s1"},
    {"owner node restarted at once", restart, "o1"},
    {"master restarted at once", restart, "m"},
    {"machine node leaves", leave, "h1"},
    {"scheduler node leaves", leave, "s1"},
    {"owner node leaves", leave, "o1"},
    {"machine node cut off", cut, "h1"},
    {"scheduler node cut off", cut, "s1"},
    {"owner node cut off", cut, "o1"},
    {"master cut off", cut, "m"},
    {"workload cut off", cut, "w"},
    {"owner and master cut", cut, "o1", "m"},
    {"scheduler and master cut", cut, "s1", "m"},
    {"machine and master cut", cut, "h1", "m"},
    {"owner and scheduler cut", cut, "o1", "s1"},
    {"owner and machine cut", cut, "o1", "h1"},
    {"scheduler and workload cut", cut, "s1", "w"},
  };
  return rows;
}

bool has_owners(const std::string& architecture) {
  return architecture != "sparrow";
}

bool applies_to(const fault_row& row, const std::string& architecture) {
  return has_owners(architecture) || !(row.node.starts_with('o') || row.other.starts_with('o'));
}

bool machines_die(const fault_row& row) {
  return row.node.starts_with('h') && row.action != fault_action::freeze &&
         row.action != fault_action::cut;
}

std::vector<std::string> hit_machines(const fault_row& row) {
  if (row.other.empty())
    return row.node.starts_with('h') ? std::vector{row.node} : std::vector<std::string>{};
  if (row.node.starts_with('o') && row.other.starts_with('h'))
    return {row.other};
  return {};
}

} // namespace troupe::trials
