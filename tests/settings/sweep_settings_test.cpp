#include "settings/reading.hpp"
#include "settings/schema/sweep_settings.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

sweep_settings sweep_in(const std::string& toml) {
  const document from(toml, "some.toml");
  problems found(from);
  auto s = read_sweep_settings(from, found);
  found.throw_first();
  return s;
}

} // namespace

TEST_CASE("a run takes no notice of [sweep]") {
  const auto plain = parsed(one_phase);
  const auto swept = parsed(one_phase + "\n[sweep]\nseeds = 3\nvary = { schedulers = [1, 2] }\n");
  CHECK(plain == swept);
  CHECK(to_toml(swept).find("sweep") == std::string::npos);
}

TEST_CASE("[sweep] says what varies, in the order in which it is written") {
  const auto s = sweep_in(R"(
[sweep]
seeds = 3
jobs = 2
metrics = ["quality.mean"]
[sweep.vary]
"sync.gap" = ["500ms", "1s"]
cluster.machines = "10..20/5"
cluster.slots = [1, "2..3"]
)");
  CHECK(s.seeds == 3);
  CHECK(s.jobs == 2);
  CHECK(s.metrics == std::vector<std::string>{"quality.mean"});
  REQUIRE(s.vary.size() == 3);
  CHECK(s.vary[0].key == "sync.gap");
  CHECK(s.vary[0].values[0] == varied_value{"500ms", "sync.gap=\"500ms\""});
  CHECK(s.vary[1].key == "cluster.machines");
  REQUIRE(s.vary[1].values.size() == 3);
  CHECK(s.vary[1].values[2].assignment == "cluster.machines=20");
  CHECK(s.vary[2].values.size() == 3);
}

TEST_CASE("a run refuses a [sweep] that cannot be meant, with file and line") {
  struct mistake {
    std::string toml;
    std::string complaint;
  };
  const std::vector<mistake> mistakes = {
    {"sweep = 5", "key 'sweep': value 5; expected a table"},
    {"[sweep]\nseeds = 0", "key 'sweep.seeds': value 0; expected a whole number, 1 .. 1000000"},
    {"[sweep]\nseed = 1", "key 'sweep.seed' is unknown; expected 'seeds'?"},
    {"[sweep]\nvary = 1", "key 'sweep.vary': value 1; expected a table"},
    {"[sweep.vary]\nschedulers = 5", "expected a list of values"},
    {"[sweep.vary]\nschedulers = []", "expected a list of values"},
    {"[sweep.vary]\nschedulers = [5, 5]", "expected each value once"},
    {"[sweep.vary]\nschedulers = [[5]]", "expected a number or a text"},
    {"[sweep.vary]\nschedulers = \"5..1\"", "expected a range that goes up"},
  };
  for (const auto& [toml, complaint] : mistakes) {
    CAPTURE(toml);
    try {
      parse_settings("# first line\n" + toml, "some.toml");
      FAIL("accepted");
    } catch (const settings_error& error) {
      const std::string text = error.what();
      CAPTURE(text);
      CHECK(text.starts_with("some.toml:"));
      CHECK(text.find(complaint) != std::string::npos);
    }
  }
}
