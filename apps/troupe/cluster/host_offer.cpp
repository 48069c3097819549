#include "cluster/host_offer.hpp"

#include "commands/commands.hpp"
#include "nodes/agent/host_machine.hpp"
#include "runtime/cluster/build_catalog.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <stdexcept>

namespace troupe {

namespace {

machine_description found() try { return describe_host(); } catch (const std::runtime_error& e) {
  throw usage_error{e.what()};
}

} // namespace

void add_host_offer(CLI::App& command, host_offer& offer) {
  command.add_option("--cpu", offer.cpu, "Cores to offer; default: all that the process may use")
    ->check(CLI::Range(0.001, 1e6).description(""))
    ->type_name("CORES");
  command
    .add_option("--memory", offer.memory, "Memory to offer; default: all that the process may use")
    ->check(CLI::Range(0.001, 1e6).description(""))
    ->type_name("GIB");
  command.add_option("--gpu", offer.gpu, "GPUs to offer; default: all that are found")
    ->check(CLI::Range(0.0, 1e6).description(""))
    ->type_name("CARDS");
  command.add_option("--slots", offer.slots, "Slots to offer; default: one per core")
    ->check(CLI::Range(1, 1'000'000).description(""))
    ->type_name("N");
  command
    .add_option("--attribute", offer.attributes,
                "Attribute that tasks may ask for; may be repeated")
    ->type_name("KEY=VALUE");
}

machine_description machine_of(const host_offer& offer) {
  auto machine = found();
  const auto said = to_resources(offer.cpu.value_or(0), offer.memory.value_or(0),
                                 offer.gpu.value_or(0), offer.slots.value_or(0));
  const auto take = [&](resource what, bool is_said) {
    if (!is_said)
      return;
    if (what != resource::slots && said[what] > machine.capacity[what])
      std::cerr << "warning: it offers more " << resource_name(what) << " than this host has\n";
    machine.capacity[what] = said[what];
  };
  take(resource::cpu, offer.cpu.has_value());
  take(resource::memory, offer.memory.has_value());
  take(resource::gpu, offer.gpu.has_value());
  take(resource::slots, offer.slots.has_value());
  for (const auto& text : offer.attributes) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw usage_error{"--attribute " + text + ": expected KEY=VALUE, such as rack=r7"};
    machine.attributes[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return machine;
}

} // namespace troupe
