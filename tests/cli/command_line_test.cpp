#include "cli/mistakes.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <sys/wait.h>

using namespace troupe::test;

namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    longest = std::max(longest, to - from);
    from = to + 1;
  }
  return longest;
}

/// The names that a help text lists as its subcommands.
std::vector<std::string> subcommands(const std::string& help) {
  std::vector<std::string> names;
  const auto heading = help.find("\nSubcommands:\n");
  if (heading == std::string::npos)
    return names;
  std::istringstream lines{help.substr(heading + 14)};
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");)
    if (line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

} // namespace

TEST_CASE("help describes the program") {
  const scratch here;
  const auto help = here.run({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err == "");
  CHECK(contains(help.out, "--log-level"));
  CHECK(contains(help.out, "Examples:"));
  CHECK(longest_line(help.out) <= 100);
  CHECK(here.entries().empty());
}

TEST_CASE("help of every command fits into 100 columns and has examples" * long_case) {
  const scratch here;
  const auto commands = subcommands(here.run({"--help"}).out);
  CHECK(commands.size() >= 20);
  for (const auto& command : commands) {
    const auto own = here.run({command, "--help"});
    CAPTURE(command);
    CHECK(own.code == 0);
    CHECK(contains(own.out, "Examples:\n  troupe " + command));
    CHECK(longest_line(own.out) <= 100);
    for (const auto& nested : subcommands(own.out)) {
      CAPTURE(nested);
      const auto inner = here.run({command, nested, "--help"});
      CHECK(inner.code == 0);
      CHECK(longest_line(inner.out) <= 100);
    }
  }
}

TEST_CASE("version names Troupe and the actor framework") {
  const scratch here;
  const auto version = here.run({"version"});
  CHECK(version.code == 0);
  CHECK(contains(version.out, "troupe " TROUPE_VERSION " ("));
  CHECK(contains(version.out, "CAF 0.17.6"));
  CHECK(here.run({"--version"}).out == "troupe " TROUPE_VERSION "\n");
}

TEST_CASE("policies lists the built-in ones") {
  const scratch here;
  const auto policies = here.run({"policies"});
  CHECK(policies.code == 0);
  for (const char* name : {"quality-first", "latency-first", "adaptive", "random-fit"})
    CHECK_MESSAGE(contains(policies.out, name), name);
}

TEST_CASE("config without a file prints the reference, which is itself a file of settings") {
  const scratch here;
  const auto reference = here.run({"config"});
  CHECK(reference.code == 0);
  CHECK(contains(reference.out, "[scheduler]"));
  CHECK(contains(reference.out, "tau"));
  CHECK(longest_line(reference.out) <= 100);
}

TEST_CASE("config with a file prints it resolved, and again the same") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto once = here.run({"config", "tiny.toml"});
  CHECK(once.code == 0);
  CHECK(contains(once.out, "architecture = \"parsync\""));
  here.write("resolved.toml", once.out);
  CHECK(here.run({"config", "resolved.toml"}).out == once.out);
  const auto changed = here.run({"config", "tiny.toml", "--set", "seed=77"});
  CHECK(contains(changed.out, "seed = 77"));
}

TEST_CASE("a wrong command line is refused with one line and exit code 2") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::vector<mistake> mistakes = {
    {{}, "a command is missing"},
    {{"fly"}, "unknown command 'fly'"},
    {{"fly", "tiny.toml"}, "unknown command 'fly'"},
    {{"comapre", "tiny.toml"}, "unknown command 'comapre'; did you mean 'compare'?"},
    {{"run", "tiny.toml", "--quite"}, "unknown option '--quite'; did you mean '--quiet'?"},
    {{"run", "tiny.toml", "--log-leve=warn"}, "did you mean '--log-level'?"},
    {{"help", "rnu"}, "unknown command 'rnu'; did you mean 'run'?"},
    {{"find", "tiny.toml", "--untl", "x<1", "--until", "x<1"}, "did you mean '--until'?"},
    {{"--fast"}, "--fast"},
    {{"--log-level", "loud", "version"}, "loud"},
    {{"version", "extra"}, "extra"},
    {{"policies", "extra"}, "extra"},
    {{"policy", "st"}, "unknown command 'st'; did you mean 'set'?"},
    {{"policy", "set"}, "NAME"},
    {{"policy", "set", "adaptive", "--scheduler", "first"}, "first"},
    {{"policy", "set", "adaptive", "--cluster", "nowhere"}, "nowhere"},
    {{"policy", "--at", "nowhere"}, "nowhere"},
    {{"run"}, "CONFIG is missing"},
    {{"run", "tiny.toml", "other.toml"}, "other.toml"},
    {{"run", "tiny.toml", "--fast"}, "--fast"},
    {{"run", "tiny.toml", "--out"}, "--out"},
    {{"run", "tiny.toml", "--out", ""}, "--out"},
    {{"run", "tiny.toml", "--seed"}, "--seed"},
    {{"run", "tiny.toml", "--seed", "many"}, "many"},
    {{"run", "tiny.toml", "--seed", "-1"}, "-1"},
    {{"run", "tiny.toml", "--seed", "1.5"}, "1.5"},
    {{"run", "tiny.toml", "--set"}, "--set"},
    {{"run", "tiny.toml", "--set", "seed"}, "--set seed"},
    {{"run", "tiny.toml", "--set", "=3"}, "=3"},
    {{"run", "tiny.toml", "--set", "policy.tow=1s"}, "policy.tow"},
    {{"run", "tiny.toml", "--set", "seed=soon"}, "seed"},
    {{"run", "tiny.toml", "--out", "tiny.toml"}, "tiny.toml"},
    {{"run", "tiny.toml", "--out", "tiny.toml/results"}, "tiny.toml"},
    {{"run", "tiny.toml", "--verify", "results"}, "--verify"},
    {{"run", "--verify", "results"}, "results"},
    {{"run", "--verify", "."}, "config.toml"},
    {{"run", "--verify", ".", "--seed", "3"}, "--verify"},
    {{"run", "missing.toml"}, "missing.toml"},
    {{"run", "."}, "directory"},
    {{"config", "missing.toml"}, "missing.toml"},
    {{"config", "tiny.toml", "--set", "cluster.machines=0"}, "cluster.machines"},
  };
  check_refused(here, mistakes);
}

TEST_CASE("help COMMAND is what COMMAND --help is") {
  const scratch here;
  CHECK(here.run({"help"}).out == here.run({"--help"}).out);
  CHECK(here.run({"help", "run"}).out == here.run({"run", "--help"}).out);
  const auto nested = here.run({"help", "trace", "fit"});
  CHECK(nested.code == 0);
  CHECK(nested.out == here.run({"trace", "fit", "--help"}).out);
}

TEST_CASE("what cannot be written to standard output is a failure") {
  const scratch here;
  const auto run = [&](const std::string& words) {
    return std::system(
      ("cd '" + here.path().string() + "' && '" TROUPE_PROGRAM "' " + words + " > /dev/full 2> err")
        .c_str());
  };
  for (const char* words : {"policies", "config", "version", "help", "run --help"}) {
    CAPTURE(words);
    CHECK(WEXITSTATUS(run(words)) == 1);
    CHECK(contains(read_file(here.path() / "err"), "cannot write to standard output"));
  }
}
