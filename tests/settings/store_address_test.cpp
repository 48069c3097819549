#include "settings/checks/store_address.hpp"
#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("addresses of stores are those of PostgreSQL, without a password") {
  for (const auto* good :
       {"postgresql://db", "postgres://me@db:5432/jobs", "postgresql:///jobs?host=/run/pg&user=me",
        "postgresql://a:5432,b:5432/jobs?passfile=/etc/pgpass&sslmode=verify-full",
        "postgresql:///?service=jobs"}) {
    CAPTURE(good);
    CHECK(is_store_address(good));
    CHECK_FALSE(fault_of_store_address(good));
  }
  for (const auto* bad :
       {"postgresql://me:secret@db/jobs", "postgresql://me:se@cret@db/jobs",
        "postgresql://db/jobs?password=secret", "postgresql://db/jobs?a=b&pass%77ord=secret",
        "postgresql://db/jobs?sslpassword=secret", "postgresql://db/jo bs", "mysql://db", "jobs"}) {
    CAPTURE(bad);
    const auto fault = fault_of_store_address(bad);
    REQUIRE(fault);
    CHECK((fault->is + fault->expected).find("secret") == std::string::npos);
  }
  CHECK_FALSE(is_store_address("jobs.sqlite"));
}

TEST_CASE("workload.store is checked, and its value is not quoted") {
  const auto said = [](const std::string& text) { return refusal(text + "\n" + one_phase); };
  CHECK(said("[workload]\nstore = 'postgresql://db/jobs'")
          .find("expected none, unless workload.kind is \"jobs\"") != std::string::npos);
  const auto secret = said("[workload]\nstore = 'postgresql://me:secret@db/jobs'");
  CHECK(secret.find("an address with a password") != std::string::npos);
  CHECK(secret.find("secret") == std::string::npos);
  try {
    parsed(one_phase, {"workload.store=postgresql://me:secret@db/jobs"});
    FAIL_CHECK("it is accepted");
  } catch (const settings_error& e) {
    CHECK(std::string{e.what()}.find("secret") == std::string::npos);
    CHECK(std::string{e.what()}.find("--set workload.store=postgresql://...") == 0);
  }
}
