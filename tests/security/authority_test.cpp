#include "scratch_directory.hpp"
#include "security/authority.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using std::chrono::days;
using std::chrono::hours;

TEST_CASE("an authority has a certificate and a key that only its owner may read") {
  const scratch_directory here;
  const auto directory = here / "new/certs";
  const auto made = authority::create(directory, test_time);
  CHECK(mode_of(directory) == 0700);
  CHECK(mode_of(directory / "ca.key") == 0600);
  CHECK(made.valid_until() == test_time + days{3650});
  const auto told = describe_certificates(directory / "ca.crt");
  REQUIRE(told.size() == 1);
  CHECK(told[0].authority);
  CHECK(told[0].name == made.name());
  CHECK(told[0].issuer == made.name());
  CHECK(told[0].valid_from == test_time - hours{1});
}

TEST_CASE("two authorities differ in name and key") {
  const scratch_directory here;
  const auto one = authority::create(here / "one", test_time);
  const auto other = authority::create(here / "other", test_time);
  CHECK(one.name() != other.name());
  CHECK(get(here / "one/ca.key") != get(here / "other/ca.key"));
}

TEST_CASE("an authority, or half of one, is never written over") {
  const scratch_directory here;
  const auto directory = here / "certs";
  authority::create(directory, test_time);
  const auto certificate = get(directory / "ca.crt");
  const auto key = get(directory / "ca.key");
  const auto again = [&] { return refusal([&] { authority::create(directory, test_time); }); };
  CHECK(again().starts_with((directory / "ca.crt").string() + " exists already"));
  fs::remove(directory / "ca.crt");
  CHECK(again().starts_with((directory / "ca.key").string() + " exists already"));
  CHECK(get(directory / "ca.key") == key);
  put(directory / "ca.crt", certificate);
  CHECK(authority::load(directory).valid_until() == test_time + days{3650});
}

TEST_CASE("an authority does not take a file for its directory") {
  const scratch_directory here;
  put(here / "certs", "");
  CHECK(refusal([&] { authority::create(here / "certs", test_time); }) ==
        (here / "certs").string() + " is not a directory; expected one, or none yet");
}

TEST_CASE("a node gets a certificate of its name and a key that only its owner may read") {
  const scratch_directory here;
  const auto made = authority::create(here / "certs", test_time);
  const auto files = made.issue({"node-1.rack_2"}, days{365}, test_time);
  CHECK(files.certificate == here / "certs/node-1.rack_2.crt");
  CHECK(mode_of(files.key) == 0600);
  const auto told = describe_certificates(files.certificate);
  REQUIRE(told.size() == 1);
  CHECK(told[0].name == "node-1.rack_2");
  CHECK(told[0].issuer == made.name());
  CHECK_FALSE(told[0].authority);
  CHECK(told[0].valid_from == test_time - hours{1});
  CHECK(told[0].valid_until == test_time + days{365});
}

TEST_CASE("a certificate says for which roles it was issued") {
  const scratch_directory here;
  const auto made = authority::create(here / "certs", test_time);
  const auto files = made.issue({"a", {"owner", "machine"}}, days{1}, test_time);
  const auto node = describe_certificates(files.certificate).at(0).certified;
  REQUIRE(node);
  CHECK(node->name == "a");
  CHECK(node->roles == std::set<std::string>{"machine", "owner"});
  CHECK(roles_text(node->roles) == "machine, owner");
  const auto laptop = made.issue({"laptop"}, days{1}, test_time);
  const auto client = describe_certificates(laptop.certificate).at(0).certified;
  REQUIRE(client);
  CHECK(client->roles.empty());
  CHECK(roles_text(client->roles) == "none");
  CHECK_FALSE(describe_certificates(here / "certs/ca.crt").at(0).certified);
  CHECK(refusal([&] {
          made.issue({"b", {"king"}}, days{1}, test_time);
        }) ==
        "the role 'king' is unknown; expected master, owner, scheduler, machine, workload or api");
  CHECK_FALSE(fs::exists(here / "certs/b.key"));
}

TEST_CASE("an authority that was loaded issues like the one that was made") {
  const scratch_directory here;
  const auto name = authority::create(here / "certs", test_time).name();
  const auto loaded = authority::load(here / "certs");
  CHECK(loaded.name() == name);
  const auto files = loaded.issue({"a"}, days{1}, test_time);
  CHECK(describe_certificates(files.certificate).at(0).issuer == name);
}

TEST_CASE("a node's files are kept unless they are to be replaced") {
  const scratch_directory here;
  const auto made = authority::create(here / "certs", test_time);
  const auto files = made.issue({"a"}, days{1}, test_time);
  const auto before = get(files.key);
  CHECK(refusal([&] {
          made.issue({"a"}, days{2}, test_time);
        }).starts_with(files.certificate.string() + " exists already"));
  fs::remove(files.certificate);
  CHECK(refusal([&] {
          made.issue({"a"}, days{2}, test_time);
        }).starts_with(files.key.string() + " exists already"));
  CHECK(get(files.key) == before);
  CHECK_FALSE(fs::exists(files.certificate));

  made.issue({"a"}, days{2}, test_time, existing::replace);

  CHECK(get(files.key) != before);
  CHECK(mode_of(files.key) == 0600);
  CHECK(describe_certificates(files.certificate).at(0).valid_until == test_time + days{2});
  CHECK_FALSE(fs::exists(files.key.string() + ".new"));
}

TEST_CASE("the name of a node is checked") {
  for (const char* good : {"a", "7", "node-1", "rack_2.node.3", "CA"})
    CHECK_MESSAGE(refusal([&] { check_node_name(good); }) == "", good);
  CHECK(refusal([] { check_node_name(std::string(64, 'x')); }) == "");
  for (const std::string& bad :
       {std::string{}, std::string(65, 'x'), std::string{"a/b"}, std::string{".."},
        std::string{"-f"}, std::string{"a b"}, std::string{"a,DNS:b"}, std::string{"n\xc3\xb6"}})
    CHECK_MESSAGE(refusal([&] { check_node_name(bad); }) ==
                    "the name of a node is '" + bad +
                      "'; expected letters, digits, '-', '_' and '.', at most 64, a letter or "
                      "digit first",
                  bad);
  CHECK(refusal([] { check_node_name("ca"); }).find("the authority's files") != std::string::npos);
}

TEST_CASE("a certificate does not outlive its authority") {
  const scratch_directory here;
  const auto made = authority::create(here / "certs", test_time);
  const auto issue_at = [&](days age, days valid) {
    return refusal([&] { made.issue({"a"}, valid, test_time + age); });
  };
  CHECK(issue_at(days{3600}, days{51}) ==
        (here / "certs/ca.crt").string() +
          ": the authority expires at 2036-11-18 08:10:00 UTC, before a certificate of 51 days; "
          "expected at most 50 days");
  CHECK(issue_at(days{3650}, days{1}).find("the authority expired at 2036-11-18") !=
        std::string::npos);
  CHECK(issue_at(days{-1}, days{1}).find("the authority is valid only from 2026-11-21 07:10:00") !=
        std::string::npos);
  CHECK(issue_at(days{0}, days{0}) == "a certificate valid for 0 days; expected 1 or more");
  CHECK_FALSE(fs::exists(here / "certs/a.key"));
  CHECK(issue_at(days{3600}, days{50}) == "");
}

TEST_CASE("an authority that is not whole is not loaded") {
  const scratch_directory here;
  const auto directory = here / "certs";
  const auto load = [&] { return refusal([&] { authority::load(directory); }); };
  CHECK(load() == (directory / "ca.crt").string() +
                    ": there is no such file; expected the certificate of an authority, as 'troupe "
                    "certs init --dir " +
                    directory.string() + "' makes it");
  const auto files = authority::create(directory, test_time).issue({"a"}, days{1}, test_time);
  const auto certificate = get(directory / "ca.crt");
  fs::copy_file(files.certificate, directory / "ca.crt", fs::copy_options::overwrite_existing);
  CHECK(load().find(": the certificate of 'a' is not that of an authority") != std::string::npos);
  put(directory / "ca.crt", certificate);
  fs::copy_file(files.key, directory / "ca.key", fs::copy_options::overwrite_existing);
  CHECK(load().starts_with((directory / "ca.key").string() + ": the key does not belong to "));
}

TEST_CASE("keys go to a directory of one's own, and through no link") {
  const scratch_directory here;
  const auto check = [](const fs::path& path) {
    return refusal([&] { check_private_directory(path); });
  };
  fs::create_directory(here / "open");
  fs::permissions(here / "open", fs::perms::all);
  fs::create_directory(here / "own");
  fs::permissions(here / "own", fs::perms::owner_all | fs::perms::group_all);
  fs::create_directory_symlink(here / "own", here / "link");
  put(here / "file", "");
  const std::string expected = "; expected a directory of your own that no other user may write to";
  CHECK(check(here / "none").empty());
  CHECK(check(here / "own").empty());
  CHECK(check(here / "own/").empty());
  CHECK(check(here / "open") ==
        (here / "open").string() + ": may be written to by all users" + expected);
  CHECK(check(here / "link") == (here / "link").string() +
                                  ": is a symbolic link, and keys are not written through one" +
                                  expected);
  CHECK(check(here / "link/") == check(here / "link"));
  CHECK(check(here / "file") == (here / "file").string() + ": is not a directory" + expected);
}
