#include "peers/comparisons.hpp"

namespace troupe::peers {

namespace {

/// E2 under a policy against the bare model.
comparison e2(const std::string& name, const std::string& config,
              std::vector<std::string> arguments) {
  return {"E2 " + name,
          "experiments/e2/" + config + ".toml",
          {},
          {"duration=30s"},
          {{"bare model", "bare_parsync", std::move(arguments), {"--duration", "30"}}}};
}

/// S1 or S3 against the three forms in SimGrid.
comparison simgrid(const std::string& name, const std::string& config, const std::string& workers,
                   const std::string& jobs, const std::string& rate,
                   const std::string& brief_jobs) {
  comparison all{name, "bench/" + config + ".toml", {}, {"workload.jobs=" + brief_jobs}, {}};
  for (const std::string form : {"semaphores", "mailboxes", "both"})
    all.peers.push_back({"SimGrid, " + form,
                         "simgrid_cluster",
                         {"--form", form, "--workers", workers, "--jobs", jobs, "--rate", rate},
                         {"--jobs", brief_jobs}});
  all.by_rate = true;
  all.simulation = true;
  return all;
}

} // namespace

std::vector<comparison> comparisons() {
  return {
    e2("latency-first", "latency-first", {"--policy", "latency-first"}),
    e2("quality-first", "quality-first", {"--policy", "quality-first"}),
    e2("adaptive", "adaptive", {"--policy", "adaptive"}),
    e2("statesync", "statesync", {"--policy", "quality-first", "--full-sync"}),
    {"Sparrow",
     "bench/sparrow.toml",
     {},
     {"workload.jobs=1000"},
     {{"bare model", "bare_sparrow", {}, {"--jobs", "1000"}}}},
    simgrid("S1", "s1", "1000", "10000", "160", "2000"),
    simgrid("S3", "s3", "10000", "100000", "1600", "20000"),
  };
}

} // namespace troupe::peers
