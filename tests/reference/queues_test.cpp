#include "runtime/running.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;

// Queues whose figures are known, as clusters that decide in next to no time.

namespace {

/// A monolithic scheduler over machines of one slot: a queue with as many servers.
std::string one_queue(int servers, double rate, const std::string& service,
                      const std::string& length) {
  return "architecture = \"monolithic\"\nschedulers = 1\nwarmup = \"500s\"\n"
         "interval = \"1000s\"\nduration = \"" +
         length + "\"\n[cluster]\nmachines = " + std::to_string(servers) +
         "\nslots = 1\npartitions = 1\nowners = 1\n[cluster.score]\ndistribution = \"constant\"\n"
         "[network]\nlatency = \"0s\"\n[executor]\ntick = \"10us\"\n"
         "[scheduler]\nt_task = \"10us\"\n[workload]\narrivals = \"poisson\"\ntick = \"10us\"\n"
         "duration = " +
         service + "\n[[workload.phases]]\nlength = \"" + length +
         "\"\nrate = " + std::to_string(rate) + "\n";
}

double mean_of(const run_results& results, const char* what) {
  check_passed(results);
  return summary_of(results)[what]["mean"].get<double>();
}

/// The mean wait of the queue M/M/c with a mean service of 1 s (Erlang C).
double erlang_wait(int servers, double rate) {
  double term = 1;
  double sum = 0;
  for (int k = 0; k < servers; ++k) {
    sum += term;
    term *= rate / (k + 1);
  }
  const auto waiting = term * servers / (servers - rate);
  return waiting / (sum + waiting) / (servers - rate);
}

/// The mean response of N queues of one server and a mean service of 1 s, each task joining the
/// shortest of `choices` queues drawn at random, as N grows (Mitzenmacher, The power of two choices
/// in randomized load balancing, 2001, theorem 1).
double choices_response(double load, int choices) {
  double sum = 0;
  double power = 0; // (d^i - d) / (d - 1)
  for (double last = 1; last > 1e-12; power = power * choices + choices) {
    last = std::pow(load, power);
    sum += last;
  }
  return sum;
}

} // namespace

TEST_CASE("a monolithic scheduler waits as the queue M/M/c") {
  struct {
    int servers;
    double load;
    double within; ///< four standard errors of such a run
  } const points[] = {{3, 0.5, 0.04}, {10, 0.8, 0.06}, {40, 0.9, 0.1}};
  for (const auto& p : points) {
    const auto rate = p.servers * p.load;
    const auto wait =
      mean_of(run_text(one_queue(p.servers, rate, "{ kind = \"exponential\", value = 1 }",
                                 std::to_string(static_cast<int>(400'000 / rate)) + "s")),
              "scheduling_delay_s");
    CAPTURE(p.servers);
    CHECK(wait == doctest::Approx(erlang_wait(p.servers, rate)).epsilon(p.within));
  }
}

TEST_CASE("a monolithic scheduler waits as the queue M/D/1") {
  for (const double load : {0.5, 0.8}) {
    const auto wait =
      mean_of(run_text(one_queue(1, load, "{ kind = \"fixed\", value = 1 }", "400000s")),
              "scheduling_delay_s");
    CAPTURE(load);
    CHECK(wait == doctest::Approx(load / (2 * (1 - load))).epsilon(0.04));
  }
}

TEST_CASE("probing two queues per task is the power of two choices") {
  const auto response = [](const std::string& probing, double load) {
    return mean_of(
      run_text("architecture = \"sparrow\"\nschedulers = 4\nduration = \"0s\"\n"
               "warmup = \"100s\"\n[cluster]\nmachines = 1000\nslots = 1\npartitions = 1\n"
               "owners = 1\n[cluster.score]\ndistribution = \"constant\"\n"
               "[network]\nlatency = \"0s\"\n[executor]\ntick = \"100us\"\n"
               "[scheduler]\nt_task = \"1us\"\n[sparrow]\nratio = 2\nprobing = \"" +
               probing +
               "\"\n[workload]\narrivals = \"poisson\"\ntick = \"100us\"\njobs = 400000\n"
               "duration = { kind = \"exponential\", value = 1 }\n"
               "[[workload.phases]]\nlength = \"10000s\"\nrate = " +
               std::to_string(1000 * load) + "\n"),
      "job_response_s");
  };
  CHECK(response("per-task", 0.9) == doctest::Approx(choices_response(0.9, 2)).epsilon(0.03));
  // One choice is the queue M/M/1, which at a load of 0.9 takes 400 s to forget its beginning.
  CHECK(response("random", 0.7) == doctest::Approx(1 / (1 - 0.7)).epsilon(0.03));
}
