#include "actors/common/prefetch.hpp"
#include "model/base/random.hpp"
#include "runtime/network/link.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <CLI/CLI.hpp>
#include <caf/all.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

// Measures the messages per second of the virtual coordinator: owners send batches of launches to
// random machines, as in a cluster under load, both with few machines and with more than fit into
// the caches. Also measures the timers per second of its clock.

namespace troupe::bench {

struct launch {
  std::uint64_t task = 0;
  std::uint64_t job = 0;
  std::uint64_t length = 0;
  std::uint64_t cpu = 0;
  std::uint64_t memory = 0;
  std::uint64_t owner = 0;
};

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, launch& x) {
  return f(caf::meta::type_name("launch"), x.task, x.job, x.length, x.cpu, x.memory, x.owner);
}

} // namespace troupe::bench

CAF_BEGIN_TYPE_ID_BLOCK(coordinator_bench, caf::first_custom_type_id)
CAF_ADD_TYPE_ID(coordinator_bench, (troupe::bench::launch))
CAF_END_TYPE_ID_BLOCK(coordinator_bench)

namespace troupe::bench {

namespace {

using namespace std::chrono_literals;

using machine_actor = caf::typed_actor<caf::reacts_to<launch>>;
using owner_actor = caf::typed_actor<caf::reacts_to<caf::tick_atom>>;

struct machine_state {
  machine_state() = default;
  static inline const char* name = "machine";
  std::uint64_t tasks = 0;
  std::uint64_t work = 0;
};

machine_actor::behavior_type machine(machine_actor::stateful_pointer<machine_state> self) {
  return {[self](const launch& x) {
    ++self->state.tasks;
    self->state.work += x.length;
  }};
}

// How launches reach their machine: sent at once, sent at once with hints by the sender, scheduled
// on the clock, or sent over links with latency.
enum class path { direct, hinted, clocked, linked };

struct owner_state {
  owner_state() = default;
  static inline const char* name = "owner";
  random_stream random;
  std::vector<const machine_actor*> picks;
};

// Sends a batch of launches once per millisecond.
owner_actor::behavior_type owner(owner_actor::stateful_pointer<owner_state> self,
                                 const std::vector<machine_actor>* machines, std::size_t batch,
                                 path how, std::uint64_t index) {
  self->state.random = random_stream::derive(1, "owner", index);
  self->delayed_send(owner_actor{self}, 1ms, caf::tick_atom_v);
  return {[=](caf::tick_atom) {
    auto& st = self->state;
    st.picks.clear();
    for (std::size_t i = 0; i < batch; ++i)
      st.picks.push_back(&(*machines)[st.random.below(machines->size())]);
    for (std::size_t i = 0; i < batch; ++i) {
      if (how == path::hinted && i + 8 < batch)
        prefetch_mailbox(caf::actor_cast<caf::actor_control_block*>(*st.picks[i + 8]));
      const launch x{i, i, 5, 1, 1, index};
      if (how == path::clocked)
        caf::delayed_anon_send(*st.picks[i], 500us, x);
      else
        caf::anon_send(*st.picks[i], x);
    }
    self->delayed_send(owner_actor{self}, 1ms, caf::tick_atom_v);
  }};
}

struct config : caf::actor_system_config {
  explicit config(std::uint32_t prefetch) {
    add_message_types<caf::id_block::coordinator_bench>();
    virtual_coordinator::load(*this, {.prefetch = prefetch});
  }
};

// The processor time of this process, which other work on the host affects less than wall time.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double launches(std::size_t machine_count, std::uint32_t prefetch, path how, std::size_t messages) {
  constexpr std::size_t owners = 20;
  constexpr std::size_t batch = 100;
  config cfg{prefetch};
  caf::actor_system system{cfg};
  auto& coordinator = virtual_coordinator::of(system);
  std::vector<machine_actor> machines;
  for (std::size_t i = 0; i < machine_count; ++i)
    machines.push_back(system.spawn(machine));
  if (how == path::linked) {
    const auto net = std::make_shared<network>(1, link_settings{.latency = 500us});
    for (std::size_t i = 0; i < machine_count; ++i)
      machines[i] = over_network(system, machines[i], net, "owner", std::to_string(i));
  }
  std::vector<owner_actor> owner_actors;
  for (std::size_t i = 0; i < owners; ++i)
    owner_actors.push_back(system.spawn(owner, &machines, batch, how, i));
  coordinator.run_until(2ms);
  const auto before = coordinator.counters().messages;
  const double start = cpu_seconds();
  coordinator.run_until(2ms + std::chrono::milliseconds{messages / (owners * batch)});
  const double used = cpu_seconds() - start;
  return static_cast<double>(coordinator.counters().messages - before) / used;
}

owner_actor::behavior_type ticker(owner_actor::pointer self, std::uint64_t index) {
  auto random = random_stream::derive(1, "ticker", index);
  self->delayed_send(owner_actor{self}, duration{random.below(5'000'000'000)}, caf::tick_atom_v);
  return {[self, random](caf::tick_atom) mutable {
    self->delayed_send(owner_actor{self}, duration{random.below(5'000'000'000)}, caf::tick_atom_v);
  }};
}

double timers(std::size_t pending, std::uint32_t prefetch, duration length) {
  config cfg{prefetch};
  caf::actor_system system{cfg};
  auto& coordinator = virtual_coordinator::of(system);
  std::vector<owner_actor> tickers;
  for (std::size_t i = 0; i < pending; ++i)
    tickers.push_back(system.spawn(ticker, i));
  coordinator.settle();
  const double start = cpu_seconds();
  coordinator.run_until(length);
  const double used = cpu_seconds() - start;
  return static_cast<double>(coordinator.counters().events) / used;
}

const char* name_of(path how) {
  switch (how) {
  case path::direct:
    return "sent";
  case path::hinted:
    return "sent with hints";
  case path::clocked:
    return "through the clock";
  case path::linked:
    return "over links";
  }
  return "";
}

int run(int argc, char** argv) {
  std::filesystem::path out;
  std::size_t messages = 4'000'000;
  CLI::App app{"Messages and timers per CPU second of the virtual coordinator."};
  app.add_option("--out", out, "Directory to write coordinator.json to");
  app.add_option("--messages", messages, "Messages per measurement")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  auto report = nlohmann::json::array();
  std::printf("%-20s %9s %9s %14s\n", "launches", "machines", "prefetch", "messages/s");
  for (std::size_t machines : {std::size_t{1000}, std::size_t{100'000}})
    for (auto how : {path::direct, path::hinted, path::clocked, path::linked})
      for (std::uint32_t prefetch : {0u, 3u, 6u}) {
        const auto r = launches(machines, prefetch, how, messages);
        std::printf("%-20s %9zu %9u %14.0f\n", name_of(how), machines, prefetch, r);
        std::fflush(stdout);
        report.push_back({{"what", name_of(how)},
                          {"machines", machines},
                          {"prefetch", prefetch},
                          {"messages_per_second", r}});
      }
  for (std::size_t pending : {std::size_t{1000}, std::size_t{100'000}})
    for (std::uint32_t prefetch : {0u, 3u}) {
      const auto r = timers(pending, prefetch, pending == 1000 ? 1000s : 20s);
      std::printf("%-20s %9zu %9u %14.0f\n", "timers", pending, prefetch, r);
      report.push_back({{"what", "timers"},
                        {"pending", pending},
                        {"prefetch", prefetch},
                        {"timers_per_second", r}});
    }
  if (!out.empty()) {
    std::filesystem::create_directories(out);
    std::ofstream{out / "coordinator.json"} << report.dump(2) << '\n';
  }
  return 0;
}

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  return troupe::bench::run(argc, argv);
}
