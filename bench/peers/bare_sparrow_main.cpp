#include "peers/bare_sparrow.hpp"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  using namespace troupe::peers;
  sparrow_setup setup;
  CLI::App app{"A bare model of Sparrow with late binding on arrays, in one thread"};
  app.add_option("--jobs", setup.jobs, "Jobs of 100 tasks")->capture_default_str();
  app.add_option("--seed", setup.seed, "Seed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  print(bare_sparrow{setup}.run());
}
