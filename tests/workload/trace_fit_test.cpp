#include "model/base/random.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"
#include "workload/fit/ks_distance.hpp"
#include "workload/fit/trace_fit.hpp"
#include "workload/fit/trace_profile.hpp"
#include "workload/formats/write_tr.hpp"
#include "workload/trace_files.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <doctest/doctest.h>

#include <sstream>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::temp_file;

/// 5,000 jobs that arrive once a second on average, of 1 to 4 tasks, 10 s long on average.
std::string random_trace() {
  auto random = random_stream::derive(7, "trace", 0);
  boost::random::exponential_distribution<double> exponential{1};
  std::ostringstream out;
  out.precision(9);
  double at = 0;
  for (int i = 0; i < 5000; ++i) {
    at += exponential(random);
    const auto n = 1 + random.below(4);
    out << at << ' ' << n << " 10";
    for (std::uint64_t t = 0; t < n; ++t)
      out << ' ' << 10 * exponential(random);
    out << '\n';
  }
  return out.str();
}

distribution of(const std::vector<double>& xs) {
  distribution d;
  for (double x : xs)
    d.add(x);
  return d;
}

} // namespace

TEST_CASE("the distance between samples is the greatest difference of their shares") {
  CHECK(ks_distance(of({1, 2, 3, 4}), of({1, 2, 3, 4})) == 0);
  CHECK(ks_distance(of({1, 2, 3, 4}), of({10, 20})) == 1);
  CHECK(ks_distance(of({1, 2, 3, 4}), of({1, 2, 30, 40})) == doctest::Approx(0.5));
  CHECK(ks_distance(of({1}), of({})) == 1);
  CHECK(ks_distance(of({}), of({})) == 0);
}

TEST_CASE("a profile counts what is in a trace") {
  const temp_file file{"0 2 1.5 1 2\n0.5 1 3 3\n120 3 4 4 4 4\n"};
  const auto p = profile_trace(file.path(), {});
  CHECK(p.format == trace_format::tr);
  CHECK(p.rows == 3);
  CHECK(p.jobs == 3);
  CHECK(p.tasks == 6);
  CHECK(p.first == 0s);
  CHECK(p.last == 120s);
  CHECK(p.task_seconds == doctest::Approx(18));
  CHECK(p.peak_second == 3);
  CHECK(p.of.tasks.max() == 3);
  CHECK(p.of.duration.quantile(1) == 4);
  CHECK(p.of.interarrival.count() == 2);
  CHECK(p.asking_jobs == 0);
}

TEST_CASE("a fitted workload is like its trace and can be run") {
  const temp_file file{random_trace()};
  const auto fit = fit_trace(file.path(), {}, {}, 8, 1);
  CHECK(fit.jobs == 5000);
  CHECK(fit.generated > 4500);
  CHECK(fit.generated < 5500);
  REQUIRE(fit.distances.size() == 3);
  for (const auto& d : fit.distances) {
    CAPTURE(d.quantity);
    CHECK(d.distance < 0.04);
  }
  CHECK(fit.settings.workload.phases.size() == 8);
  const auto read = parse_settings(to_toml(fit.settings), "fit.toml");
  CHECK(read.workload == fit.settings.workload);
}

TEST_CASE("every phase of a fitted workload has jobs, from the first job of the trace on") {
  const temp_file file{"500 1 5 5\n600 1 5 5\n700 1 5 5\n"};
  for (const std::uint32_t wanted : {1U, 3U, 24U}) {
    CAPTURE(wanted);
    const auto fit = fit_trace(file.path(), {}, {}, wanted, 1);
    const auto& phases = fit.settings.workload.phases;
    CHECK(phases.size() <= 3);
    duration length{0};
    double tasks = 0;
    for (const auto& p : phases) {
      CHECK(p.rate > 0);
      length += p.length;
      tasks += p.rate * to_seconds(p.length);
    }
    CHECK(length >= 200s);
    CHECK(length <= 201s);
    CHECK(tasks == doctest::Approx(3));
  }
}

TEST_CASE("a fit keeps the most frequent requests and the machines' shapes") {
  const std::string pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,"
                           "deletion_time,scheduled_time\n";
  std::string text = pods;
  for (int i = 0; i < 300; ++i)
    text += "p,2000,4096,1,500,T4,LS," + std::to_string(i) + "," + std::to_string(i + 9) + "," +
            std::to_string(i) + "\n";
  for (int i = 0; i < 100; ++i)
    text += "q,1000,2048,0,0,,LS," + std::to_string(300 + i) + "," + std::to_string(309 + i) + "," +
            std::to_string(300 + i) + "\n";
  const temp_file file{text};
  machine_table machines;
  machines.kinds = {{"kind-0", {{"model", "T4"}}}};
  resources has;
  has[resource::cpu] = 32000;
  has[resource::memory] = 65536;
  has[resource::gpu] = 4000;
  machines.machines = {{"a", has, has, 0}, {"b", has, has, 0}};
  const auto fit = fit_trace(file.path(), {}, machines, 4, 1);
  REQUIRE(fit.settings.workload.requests.size() == 2);
  const auto& most = fit.settings.workload.requests[0];
  CHECK(most.weight == doctest::Approx(0.75));
  CHECK(most.cpu == 2);
  CHECK(most.gpu == 0.5);
  CHECK(most.constraints == std::vector<std::string>{"model == T4"});
  CHECK(fit.requests_kept == doctest::Approx(1));
  REQUIRE(fit.settings.cluster.classes.size() == 1);
  CHECK(fit.settings.cluster.machines == 2);
  CHECK(fit.settings.cluster.classes[0].gpu == 4);
  CHECK(parse_settings(to_toml(fit.settings), "fit.toml").cluster.classes.size() == 1);
}

TEST_CASE("a fit has machines even if all of them join later") {
  const temp_file file{"0 1 5 5\n9 1 5 5\n"};
  const auto small = resources::of_slots(4);
  const auto large = resources::of_slots(8);
  machine_table machines;
  machines.kinds = {{"kind-0", {}}};
  for (const char* name : {"a", "b", "c"})
    machines.machines.push_back({name, large, {}, 0});
  machines.changes = {{1s, 0, small}, {2s, 1, large}, {3s, 0, {}}, {3s, 2, large}, {4s, 1, small}};
  const auto fit = fit_trace(file.path(), {}, machines, 1, 1);
  const auto& cluster = fit.settings.cluster;
  CHECK(cluster.machines == 2);
  REQUIRE(cluster.classes.size() == 2);
  CHECK(cluster.classes[0].slots + cluster.classes[1].slots == 12);
  REQUIRE(fit.left_out.size() == 2);
  CHECK(fit.left_out[1].starts_with("the beginning, at which the trace has no machine"));
  CHECK(parse_settings(to_toml(fit.settings), "fit.toml").cluster.machines == 2);
}

TEST_CASE("tenants and preceding jobs are said to be lost") {
  const temp_file recording{
    "{\"recording\":1,\"from_ms\":1,\"to_ms\":60001}\n"
    "{\"job\":\"1\",\"at_s\":1,\"tenant\":\"ci\",\"groups\":[{\"demand\":{\"cpu\":"
    "500},\"durations_s\":[5]}]}\n"
    "{\"job\":\"2\",\"at_s\":2,\"groups\":[{\"demand\":{\"cpu\":500},"
    "\"durations_s\":[5]}]}\n"};
  using counts = std::map<std::string, std::uint64_t>;
  std::ostringstream out;
  CHECK(write_tr(out, recording.path(), {}).lost == counts{{"request", 2}, {"tenant", 1}});
  CHECK(fit_trace(recording.path(), {}, {}, 1, 1).left_out ==
        std::vector<std::string>{"the tenants of jobs"});
  const temp_file log{"1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n"
                      "2 5 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n"
                      "3 9 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 1 3\n"};
  auto settings = test::of_format(trace_format::swf);
  CHECK(write_tr(out, log.path(), settings).lost.empty());
  CHECK(fit_trace(log.path(), settings, {}, 1, 1).left_out.empty());
  settings.think_times = true;
  CHECK(write_tr(out, log.path(), settings).lost == counts{{"preceding job", 1}});
  CHECK(fit_trace(log.path(), settings, {}, 1, 1).left_out ==
        std::vector<std::string>{"the preceding jobs of jobs, and think times"});
}

TEST_CASE("a trace that is written as .tr reads as it was") {
  const temp_file file{
    "M1,2,j_1,1,Terminated,10,20,100,0.3\nR2_1,1,j_1,1,Terminated,10,40,100,0.3\n"};
  std::ostringstream out;
  const auto written = write_tr(out, file.path(), {});
  CHECK(out.str() == "10 3 16.666666667 10 10 30\n");
  CHECK(written.jobs == 1);
  CHECK(written.tasks == 3);
  CHECK(written.lost == std::map<std::string, std::uint64_t>{{"request", 1}, {"dependencies", 1}});
  const auto again = test::read_trace_text(out.str());
  REQUIRE(again.jobs.size() == 1);
  CHECK(again.jobs[0].groups[0].durations == std::vector<duration>{10s, 10s, 30s});
}

} // namespace troupe
