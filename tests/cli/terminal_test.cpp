#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/long_case.hpp"

using namespace troupe::test;

namespace {

/// What `command` writes to a terminal of 80 columns, on which both of its outputs are.
std::string on_terminal(const scratch& here, const std::string& command) {
  const auto run = in_bash(here, "set -o pipefail; export TERM=xterm; unset NO_COLOR FORCE_COLOR\n"
                                 "script -qec \"stty cols 80 && " +
                                   command + "\" /dev/null | tr -d '\\r'");
  CAPTURE(run.err);
  CHECK(run.code == 0);
  return run.out;
}

/// Removes sequences that set colours or erase.
std::string without_escapes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\x1b')
      i = text.find_first_of("mKhl", i);
    else
      out += text[i];
  return out;
}

constexpr const char* green = "\x1b[32m";

} // namespace

TEST_CASE("colours are shown on a terminal only, and as the user wants") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::string run = "'$TROUPE' run tiny.toml --log-level info";
  const auto on = on_terminal(here, run);
  CHECK(contains(on, "  \x1b[32mPASS\x1b[0m  "));
  CHECK(contains(on, "\x1b[32minfo\x1b["));
  CHECK(contains(on, "\x1b[K"));
  for (const char* without : {"NO_COLOR=1 ", "NO_COLOR=1 FORCE_COLOR=1 "}) {
    const auto off = on_terminal(here, without + run);
    CHECK(contains(off, "  PASS  "));
    CHECK_FALSE(contains(off, green));
  }
  CHECK(contains(on_terminal(here, "NO_COLOR= " + run), green));
  CHECK(contains(on_terminal(here, "NO_COLOR=1 " + run + " --color always"), green));
  CHECK_FALSE(contains(on_terminal(here, run + " --color never"), green));
  CHECK_FALSE(contains(on_terminal(here, "TERM=dumb " + run), "\x1b"));
}

TEST_CASE("without a terminal there are no colours unless they are asked for") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::string run = "\"$TROUPE\" run tiny.toml --log-level info";
  const auto plain = in_bash(here, "unset NO_COLOR FORCE_COLOR; " + run);
  CHECK_FALSE(contains(plain.out + plain.err, "\x1b"));
  const auto always = in_bash(here, run + " --color always");
  CHECK(contains(always.out, green));
  CHECK(contains(always.err, green));
  CHECK_FALSE(contains(always.err, "\x1b[K"));
  CHECK(contains(in_bash(here, "unset NO_COLOR; FORCE_COLOR=1 " + run).out, green));
  const auto wrong = here.run({"version", "--color", "blue"});
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "blue"));
}

TEST_CASE("each stream has its own colours") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto file = on_terminal(here, "'$TROUPE' run tiny.toml --log-level info > out");
  CHECK(contains(file, green));
  CHECK_FALSE(contains(read_file(here.path() / "out"), "\x1b"));
}

TEST_CASE("what is printed fits into 80 columns" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("other.toml",
             std::string("extends = \"tiny.toml\"\n") + "name = \"another-configuration\"\n");
  here.write("failing.toml", std::string(tiny_settings) + one_failure);
  here.write("jobs.tr", tiny_trace);
  for (const char* command :
       {"run tiny.toml", "run failing.toml", "compare tiny.toml other.toml --seeds 2",
        "sweep tiny.toml --vary sync.gap=1s,2s --vary schedulers=1,2 --seeds 2",
        "find tiny.toml --vary schedulers=1..3 --until \\\"scheduling_delay_s.mean < 1\\\" --seeds "
        "1",
        "policies", "check policy adaptive", "check scheduler sparrow", "trace jobs.tr",
        "trace fit jobs.tr --phases 2", "chaos tiny.toml --seeds 1..2", "version", "--help",
        "help node", "certs init", "certs show"}) {
    CAPTURE(std::string(command));
    const auto shown =
      without_escapes(on_terminal(here, std::string("'$TROUPE' ") + command + " 2> /dev/null"));
    CAPTURE(shown);
    CHECK(widest_line(shown) <= 80);
  }
}
