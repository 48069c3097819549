#include "settings/reading.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace troupe;

TEST_CASE("names that records cannot carry are refused") {
  const std::pair<std::string, std::string> cases[] = {
    {"[[tenants]]\nname = \"x\\ny\"\n[[tenants]]\nname = 'z'",
     "f.toml:2: key 'tenants.0.name': value \"x\\u000ay\""},
    {"[[tenants]]\nname = 'x'\n[[tenants]]\nname = ''",
     "f.toml:4: key 'tenants.1.name': value \"\""},
    {"[[task_classes]]\nname = \"a\\tb\"",
     "f.toml:2: key 'task_classes.0.name': value \"a\\u0009b\""},
    {"[[task_classes]]\nname = ''", "f.toml:2: key 'task_classes.0.name': value \"\""},
    {"[[cluster.classes]]\nslots = 1\nname = \"\\u007f\"",
     "f.toml:3: key 'cluster.classes.0.name': value \"\\u007f\""},
    {"[[cluster.classes]]\nslots = 1\nname = ''",
     "f.toml:3: key 'cluster.classes.0.name': value \"\""}};
  for (const auto& [text, message] : cases)
    CHECK(refusal(text + "\n" + one_phase) ==
          message + "; expected a name that is not empty and has no control characters");
  CHECK(parsed("[[tenants]]\nname = 'a, \"b\" é'\n[[tenants]]\nname = '.'\n" + one_phase)
          .tenants.size() == 2);
}
