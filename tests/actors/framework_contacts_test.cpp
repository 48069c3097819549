#include "actors/offers/framework_contacts.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a framework that does not answer for longer than the patience is silent") {
  framework_contacts contacts{2, 4s};
  CHECK_FALSE(contacts.asked(1, 10s));
  CHECK_FALSE(contacts.asked(1, 13s));
  contacts.heard(1);
  CHECK_FALSE(contacts.asked(1, 15s));
  CHECK_FALSE(contacts.silent(1));
  CHECK(contacts.asked(1, 19s));
  CHECK(contacts.silent(1));
  CHECK_FALSE(contacts.asked(1, 21s)); // that is known
  CHECK_FALSE(contacts.silent(0));
}

TEST_CASE("a framework that was only slow gets more patience") {
  framework_contacts contacts{1, 4s};
  contacts.asked(0, 0s);
  CHECK(contacts.asked(0, 4s));
  contacts.heard(0);
  CHECK_FALSE(contacts.silent(0));
  contacts.asked(0, 10s);
  CHECK_FALSE(contacts.asked(0, 17s));
  CHECK(contacts.asked(0, 18s));
  contacts.replaced(0);
  CHECK_FALSE(contacts.silent(0));
  contacts.asked(0, 20s);
  CHECK(contacts.asked(0, 24s));
}
