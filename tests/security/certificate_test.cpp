#include "scratch_directory.hpp"
#include "security/certificate.hpp"
#include "security/files.hpp"
#include "security/make_certificate.hpp"
#include "security/pem.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("dates are in UTC") {
  CHECK(date_text(test_time) == "2026-11-21 08:10:00 UTC");
}

TEST_CASE("certificates beyond the year 2050 keep their dates") {
  const auto key = make_key();
  const auto far = test_time + std::chrono::days{20000};
  const auto made = make_authority_certificate("far", *key, {test_time, far});
  CHECK(valid_from(*made) == test_time);
  CHECK(valid_until(*made) == far);
}

TEST_CASE("the control characters of a name do not reach the terminal") {
  const auto key = make_key();
  const auto made = make_authority_certificate("evil\x1b[2J", *key, {test_time, test_time});
  CHECK(subject_of(*made) == "evil\\1B[2J");
}

TEST_CASE("a file may hold several certificates, among other text") {
  const scratch_directory here;
  const auto key = make_key();
  std::string text = "first\n";
  for (const char* name : {"one", "two"})
    text += to_pem(*make_authority_certificate(name, *key, {test_time, test_time})) + "and\n";
  put(here / "both.crt", text);
  const auto told = describe_certificates(here / "both.crt");
  REQUIRE(told.size() == 2);
  CHECK(told[0].name == "one");
  CHECK(told[1].name == "two");
  CHECK(told[0].fingerprint != told[1].fingerprint);
  CHECK(told[0].fingerprint.size() == 95);
}

TEST_CASE("of several certificates a damaged one is named") {
  const scratch_directory here;
  const auto key = make_key();
  const auto good = to_pem(*make_authority_certificate("one", *key, {test_time, test_time}));
  auto bad = good;
  bad[bad.size() / 2] = '#';
  put(here / "both.crt", good + bad);
  CHECK(refusal([&] { describe_certificates(here / "both.crt"); }) ==
        (here / "both.crt").string() +
          ": certificate 2 in the file is damaged; expected a certificate in PEM");
}

TEST_CASE("a key survives being written and read") {
  const scratch_directory here;
  const auto key = make_key();
  put(here / "a.key", to_pem(*key));
  CHECK(EVP_PKEY_eq(read_key(here / "a.key", "a key").get(), key.get()) == 1);
}

TEST_CASE("a small file is replaced as a whole or kept") {
  const scratch_directory here;
  write_small_file(here / "f", "one", 0600, existing::keep);
  CHECK(refusal([&] { write_small_file(here / "f", "two", 0600, existing::keep); }) ==
        (here / "f").string() + " exists already and is not overwritten");
  CHECK(get(here / "f") == "one");
  write_small_file(here / "f", "three", 0600, existing::replace);
  CHECK(get(here / "f") == "three");
  CHECK_THROWS_WITH_AS(
    write_small_file(here / "none/f", "", 0600, existing::keep),
    ((here / "none/f").string() + ": cannot be written: No such file or directory").c_str(),
    std::runtime_error);
}
