#include "model/jobs/constraint.hpp"
#include "settings/checks/check.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <set>

namespace troupe {

namespace {

bool any_class_has(const cluster_settings& cluster, const std::string& attribute) {
  return std::ranges::any_of(
    cluster.classes, [&](const machine_class& c) { return c.attributes.contains(attribute); });
}

void check_preference(const std::string& text, const cluster_settings& cluster,
                      const std::string& path, problems& found) {
  try {
    const auto what = parse_constraint(text);
    // What the machines of a trace have is known only when it is read.
    if (cluster.trace.file.empty() && !any_class_has(cluster, what.attribute))
      found.conflict("", path, to_toml_value(std::string_view(text)),
                     "an attribute that some machine class has", {"cluster.classes"});
  } catch (const std::invalid_argument& why) {
    found.conflict("", path, to_toml_value(std::string_view(text)), why.what());
  }
}

} // namespace

void check_task_classes(const run_settings& s, problems& found) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.task_classes.size(); ++i) {
    const auto path = "task_classes." + std::to_string(i) + ".";
    check_label(s.task_classes[i].name, path + "name", found);
    if (!names.insert(s.task_classes[i].name).second)
      found.conflict("", path + "name", to_toml_value(std::string_view(s.task_classes[i].name)),
                     "a name that no other task class has");
    for (const auto& [text, weight] : s.task_classes[i].prefers)
      check_preference(text, s.cluster, path + "prefers", found);
  }
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    const auto& asked = s.groups[i].workload.task_class;
    if (!asked.empty() && !names.contains(asked))
      found.conflict(found.document_has("groups.0") ? "groups." + std::to_string(i) + "." : "",
                     "workload.task_class", to_toml_value(std::string_view(asked)),
                     "the name of one of the task classes", {"task_classes"});
  }
}

} // namespace troupe
