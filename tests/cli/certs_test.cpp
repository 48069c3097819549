#include "cli/process.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

/// One line on stderr, nothing on stdout.
void check_refused(const outcome& result, const std::string& what) {
  CAPTURE(result.err);
  CHECK(result.code == 2);
  CHECK(result.out == "");
  CHECK(result.err.starts_with("troupe: "));
  CHECK(contains(result.err, what));
  CHECK(result.err.find('\n') == result.err.size() - 1);
}

} // namespace

TEST_CASE("certs makes an authority and nodes, and shows them") {
  const scratch here;
  const auto init = here.run({"certs", "init"});
  CHECK(init.code == 0);
  CHECK(contains(init.out, "certs/ca.crt  'Troupe authority "));
  CHECK(contains(init.out, "troupe certs issue NODE --dir certs"));
  const auto issue = here.run({"certs", "issue", "node-1", "--days", "20"});
  CHECK(issue.code == 0);
  CHECK(contains(issue.out, "certs/node-1.crt  'node-1', valid until 2"));
  CHECK(contains(issue.out, "The client needs these two and certs/ca.crt."));
  const auto node = here.run({"certs", "issue", "node-2", "--roles", "owner,machine"});
  CHECK(node.code == 0);
  CHECK(contains(node.out, "The node needs these two and certs/ca.crt. It may have the roles "
                           "machine, owner."));
  for (const char* key : {"certs/ca.key", "certs/node-1.key"})
    CHECK(fs::status(here.path() / key).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));

  const auto show = here.run({"certs", "show"});
  CHECK(show.code == 0);
  CHECK(show.out.starts_with("certs/ca.crt\n  name    Troupe authority "));
  CHECK(contains(show.out, "certs/node-1.crt\n  name    node-1\n  issuer  Troupe authority "));
  CHECK(contains(show.out, "\n  roles   none: a client\n"));
  CHECK(contains(show.out, "\n  roles   machine, owner\n"));
  CHECK(contains(show.out, "(19 days left)"));
  CHECK_FALSE(contains(show.out, ".key"));
  const auto one = here.run({"certs", "show", "certs/node-1.crt"});
  CHECK(contains(show.out, one.out));
  CHECK(one.out.size() < show.out.size());
  CHECK(here.run({"certs", "show", "certs", "certs/node-1.crt"}).out == show.out + one.out);
}

TEST_CASE("certs replaces only nodes, and only when told to") {
  const scratch here;
  CHECK(here.run({"certs", "init", "--dir", "mine"}).code == 0);
  check_refused(here.run({"certs", "init", "--dir", "mine"}),
                "certs init: mine/ca.crt exists already");
  CHECK(here.run({"certs", "issue", "a", "--dir", "mine"}).code == 0);
  const auto before = read_file(here.path() / "mine/a.key");
  check_refused(here.run({"certs", "issue", "a", "--dir", "mine"}),
                "certs issue: mine/a.crt exists already");
  CHECK(read_file(here.path() / "mine/a.key") == before);
  CHECK(here.run({"certs", "issue", "a", "--dir", "mine", "--force"}).code == 0);
  CHECK(read_file(here.path() / "mine/a.key") != before);
}

TEST_CASE("certs refuses wrong command lines") {
  const scratch here;
  check_refused(here.run({"certs"}), "see 'troupe certs --help'");
  check_refused(here.run({"certs", "issue"}), "NODE is required");
  check_refused(here.run({"certs", "issue", "a"}),
                "certs issue: certs/ca.crt: there is no such file; expected the certificate of an "
                "authority, as 'troupe certs init --dir certs' makes it");
  check_refused(here.run({"certs", "show"}), "certs show: certs: there is no such file");
  CHECK(here.entries().empty());
  CHECK(here.run({"certs", "init"}).code == 0);
  check_refused(here.run({"certs", "issue", "a/b"}), "certs issue: the name of a node is 'a/b'");
  check_refused(here.run({"certs", "issue", "a", "--roles", "king"}), "--roles king: 'king' is");
  check_refused(here.run({"certs", "issue", "a", "--days", "0"}), "--days");
  check_refused(here.run({"certs", "issue", "a", "--days", "3651"}), "--days");
  check_refused(here.run({"certs", "issue", "a", "--days", "3650"}), "expected at most 3649 days");
  check_refused(here.run({"certs", "show", "certs/ca.key"}),
                "certs/ca.key: the file holds a PRIVATE KEY; expected a certificate in PEM");
  check_refused(here.run({"certs", "init", "--dir", ""}), "the name of the directory is empty");
  here.write("file", "");
  check_refused(here.run({"certs", "init", "--dir", "file"}), "file is not a directory");
}
