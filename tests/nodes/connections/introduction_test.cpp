#include "nodes/connections/introduction.hpp"
#include "nodes/connections/peer_check.hpp"
#include "nodes/connections/peer_register.hpp"
#include "security/make_certificate.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

const introduction own_introduction{"m", {"master"}, "id-m"};
const introduction node_introduction{"a", {"machine", "owner"}, "id-a"};

certificate_ptr certificate_of(const certified_identity& who) {
  const auto now = std::chrono::system_clock::now();
  const validity period{now, now + std::chrono::hours{1}};
  const auto authority_key = make_key();
  const auto authority = make_authority_certificate("authority", *authority_key, period);
  const auto key = make_key();
  return make_node_certificate(who, *key, period, *authority, *authority_key);
}

} // namespace

TEST_CASE("an introduction is read as it was written") {
  for (auto who : {node_introduction, introduction{"laptop", {}, std::string("\0\x1\xFF\0", 4)}}) {
    const auto bytes = write_introduction(who);
    const auto header = read_introduction_header(bytes.substr(0, introduction_header::size));
    REQUIRE(header);
    CHECK_FALSE(header->refuses);
    CHECK(header->body == bytes.size() - introduction_header::size);
    CHECK(read_introduction(bytes.substr(introduction_header::size)) == who);
  }
  const auto refusal = write_refusal("it is late");
  const auto header = read_introduction_header(refusal.substr(0, introduction_header::size));
  REQUIRE(header);
  CHECK(header->refuses);
  CHECK(refusal.substr(introduction_header::size) == "it is late");
  CHECK(write_refusal(std::string(5000, 'x')).size() ==
        introduction_header::size + introduction_header::longest_body);
}

TEST_CASE("what is no introduction is not read") {
  CHECK_FALSE(read_introduction_header("GET / H"));
  CHECK_FALSE(read_introduction_header(std::string("TRPEX\0\1", 7)));
  CHECK_FALSE(read_introduction_header(std::string("TRPEI\0\0", 7)));
  CHECK_FALSE(read_introduction_header(std::string("TRPEI\4\1", 7)));
  CHECK(read_introduction_header(std::string("TRPEI\4\0", 7)));
  CHECK_FALSE(read_introduction_header("TRPE"));
  CHECK_FALSE(read_introduction("a"));
  CHECK_FALSE(read_introduction(std::string("a\0machine", 9)));
}

TEST_CASE("a peer is who its certificate says") {
  const auto certificate = certificate_of({"a", {"machine", "owner", "scheduler"}});
  CHECK(why_not(node_introduction, own_introduction, certificate.get()).empty());
  CHECK(why_not({"a", {}, "id-a"}, own_introduction, certificate.get()).empty());
  CHECK(why_not({"b", {}, "id-a"}, own_introduction, certificate.get()) ==
        "the certificate is that of a and not of b");
  CHECK(contains(why_not({"a", {"machine", "master"}, "id-a"}, own_introduction, certificate.get()),
                 "the certificate of a was not issued for master (roles: machine, owner, "
                 "scheduler)"));
  CHECK(contains(why_not({"a", {}, "longer id"}, own_introduction, certificate.get()),
                 "id of its instance is malformed"));
  CHECK(contains(why_not({"a", {}, "id-m"}, own_introduction, certificate.get()),
                 "the id of this process"));
}

TEST_CASE("a certificate that names no node is of no use") {
  const auto certificate = certificate_of({"a"});
  const extension_ptr names{X509_delete_ext(
    certificate.get(), X509_get_ext_by_NID(certificate.get(), NID_subject_alt_name, -1))};
  CHECK_FALSE(certified_identity_of(*certificate));
  CHECK(contains(why_not({"a", {}, "id-a"}, own_introduction, certificate.get()),
                 "a new one, made by 'troupe certs issue NODE --roles ROLES'"));
}

TEST_CASE("without certificates names are checked for what they are only") {
  CHECK(why_not(node_introduction, own_introduction, nullptr).empty());
  CHECK(contains(why_not({"a/b", {}, "id-a"}, own_introduction, nullptr),
                 "the name of a node is 'a/b'"));
  CHECK(contains(why_not({"a", {"king"}, "id-a"}, own_introduction, nullptr),
                 "the role 'king' is unknown"));
}

TEST_CASE("an id belongs to one process as long as it has a connection") {
  peer_register peers;
  CHECK(peers.find("id-a") == nullptr);
  auto first = peers.add(node_introduction);
  auto second = peers.add(node_introduction);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(peers.add({"b", {}, "id-a"}) == nullptr);
  first.reset();
  REQUIRE(peers.find("id-a"));
  CHECK(peers.find("id-a")->name == "a");
  second.reset();
  CHECK(peers.find("id-a") == nullptr);
  CHECK(peers.add({"b", {}, "id-a"}) != nullptr);
}
