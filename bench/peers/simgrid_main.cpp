#include "peers/simgrid_cluster.hpp"

#include <CLI/CLI.hpp>

#include <iterator>
#include <map>
#include <string>

namespace troupe::peers {

namespace {

/// The cheapest settings of SimGrid with which these programs run.
void run(const simgrid_setup& setup, void (*start)(simgrid_cluster&)) {
  namespace sg = simgrid::s4u;
  std::string words[] = {"simgrid_cluster",
                         "--cfg=contexts/factory:raw",   // the fastest switch between actors
                         "--cfg=contexts/stack-size:16", // KiB
                         "--cfg=contexts/guard-size:0",
                         "--cfg=network/model:Constant",   // no shared bandwidth
                         "--cfg=network/latency-factor:0", // messages take no time
                         "--log=root.thresh:error"};
  std::vector<char*> arguments;
  for (auto& word : words)
    arguments.push_back(word.data());
  int count = static_cast<int>(std::size(words));
  sg::Engine engine{&count, arguments.data()};
  auto* const zone = sg::create_full_zone("cluster");
  auto* const host = zone->create_host("host", 1e9);
  zone->seal();
  simgrid_cluster cluster{setup, host};
  start(cluster);
  engine.run();
  print(cluster.figures);
}

} // namespace

} // namespace troupe::peers

int main(int argc, char** argv) {
  using namespace troupe::peers;
  simgrid_setup setup;
  std::string form = "semaphores";
  const std::map<std::string, void (*)(simgrid_cluster&)> forms{
    {"semaphores", start_with_semaphores},
    {"mailboxes", start_with_mailboxes},
    {"both", start_with_both}};
  CLI::App app{"S1 or S3 in SimGrid: a scheduler gives tasks of 5 s to workers with one slot"};
  app.add_option("--form", form, "How the actors communicate")
    ->check(CLI::IsMember({"semaphores", "mailboxes", "both"}))
    ->capture_default_str();
  app.add_option("--workers", setup.workers, "Workers with one slot")->capture_default_str();
  app.add_option("--jobs", setup.jobs, "Jobs of 10 tasks")->take_last()->capture_default_str();
  app.add_option("--rate", setup.rate, "Tasks per s")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  run(setup, forms.at(form));
}
