#include "scratch_directory.hpp"
#include "security/authority.hpp"
#include "security/make_certificate.hpp"
#include "security/pem.hpp"
#include "security/tls_files.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

namespace {

/// A directory with an authority and a node "a" of it.
struct cluster {
  scratch_directory here;
  authority signer = authority::create(here / "certs", test_time);
  certificate_files node = signer.issue({"a"}, days{100}, test_time);
  tls_files files{node.certificate, node.key, signer.files().certificate};

  std::string check(wall_time now = test_time) const {
    return refusal([&] { check_tls_files(files, now); });
  }
};

/// Puts `value` in the place of an extension and signs anew.
void change(X509& certificate, int kind, const char* value, EVP_PKEY& signing_key) {
  const auto at = X509_get_ext_by_NID(&certificate, kind, -1);
  const extension_ptr old{X509_delete_ext(&certificate, at)};
  const extension_ptr next{X509V3_EXT_conf_nid(nullptr, nullptr, kind, value)};
  REQUIRE(X509_add_ext(&certificate, next.get(), -1) == 1);
  REQUIRE(X509_sign(&certificate, &signing_key, EVP_sha256()) > 0);
}

std::string with_passphrase(EVP_PKEY& key) {
  const bio_ptr bio{BIO_new(BIO_s_mem())};
  char word[] = "secret";
  REQUIRE(PEM_write_bio_PKCS8PrivateKey(bio.get(), &key, EVP_aes_128_cbc(), word, 6, nullptr,
                                        nullptr) == 1);
  return text_of(bio.get());
}

/// Another user for as long as this incarnations, where the tests run as root, who may read
/// everything.
class unprivileged {
public:
  unprivileged() {
    if (was_root_)
      REQUIRE(::seteuid(65534) == 0);
  }
  unprivileged(const unprivileged&) = delete;
  unprivileged& operator=(const unprivileged&) = delete;
  ~unprivileged() {
    if (was_root_ && ::seteuid(0) != 0)
      std::abort();
  }

private:
  bool was_root_ = ::geteuid() == 0;
};

} // namespace

TEST_CASE("good files tell who the node is and until when") {
  const cluster c;
  const auto identity = check_tls_files(c.files, test_time);
  CHECK(identity.certified.name == "a");
  CHECK(identity.authority == c.signer.name());
  CHECK(identity.valid_until == test_time + days{100});
  CHECK(identity.warnings.empty());
}

TEST_CASE("less than 30 days are warned of") {
  const cluster c;
  CHECK(check_tls_files(c.files, test_time + days{70}).warnings.empty());
  const auto late = check_tls_files(c.files, test_time + days{70} + seconds{1});
  REQUIRE(late.warnings.size() == 1);
  CHECK(late.warnings[0] == c.files.certificate.string() +
                              ": the certificate expires at 2027-03-01 08:10:00 UTC, in 29 days");
}

TEST_CASE("a key that others may read is warned of") {
  const cluster c;
  fs::permissions(c.files.key, fs::perms::group_read, fs::perm_options::add);
  const auto identity = check_tls_files(c.files, test_time);
  REQUIRE(identity.warnings.size() == 1);
  CHECK(identity.warnings[0] == c.files.key.string() +
                                  ": others than its owner may use the key; expected permissions "
                                  "0600");
}

TEST_CASE("each missing file is named") {
  for (const auto member : {&tls_files::certificate, &tls_files::key, &tls_files::authority}) {
    cluster c;
    c.files.*member = c.here / "none.pem";
    CHECK(c.check().starts_with((c.here / "none.pem").string() +
                                ": there is no such file; expected the "));
  }
}

TEST_CASE("what cannot be read is refused at once") {
  cluster c;
  SUBCASE("for lack of permission") {
    fs::permissions(c.files.key, fs::perms::none);
    fs::permissions(c.files.certificate, static_cast<fs::perms>(0644));
    for (const auto& directory : {c.here / "", c.here / "certs"})
      fs::permissions(directory, static_cast<fs::perms>(0711));
    const unprivileged user;
    CHECK(c.check().starts_with(c.files.key.string() +
                                ": the file may not be read (permission denied); expected "));
  }
  SUBCASE("a directory") {
    c.files.authority = c.here / "certs";
    CHECK(contains(c.check(), "certs: is a directory; expected the certificate of the authority"));
  }
  SUBCASE("a pipe, which would be waited on for ever") {
    c.files.certificate = c.here / "pipe";
    REQUIRE(::mkfifo(c.files.certificate.c_str(), 0600) == 0);
    CHECK(contains(c.check(), "pipe: is not a regular file; expected "));
  }
  SUBCASE("a file that has no end") {
    put(c.files.certificate, std::string((1 << 20) + 1, 'x'));
    CHECK(contains(c.check(), "a.crt: the file is longer than 1 MiB; expected "));
  }
}

TEST_CASE("what is not PEM, or something else in PEM, is refused") {
  const cluster c;
  const auto key = get(c.files.key);
  const auto certificate = get(c.files.certificate);
  put(c.files.certificate, "");
  CHECK(contains(c.check(), "a.crt: the file is not PEM text; expected the certificate of a node"));
  put(c.files.certificate, std::string("\x30\x82\x01\x00\x00", 5));
  CHECK(contains(c.check(), "a.crt: the file is not PEM text; expected the certificate of a node"));
  put(c.files.certificate, key);
  CHECK(contains(c.check(), "a.crt: the file holds a PRIVATE KEY; expected the certificate"));
  put(c.files.certificate, certificate);
  put(c.files.key, certificate);
  CHECK(contains(c.check(), "a.key: the file holds a CERTIFICATE; expected the private key"));
}

TEST_CASE("damaged PEM is refused") {
  const cluster c;
  auto certificate = get(c.files.certificate);
  auto key = get(c.files.key);
  key.replace(28, 4, "AAAA");
  put(c.files.key, key);
  CHECK(contains(c.check(), "a.key: the PRIVATE KEY in the file is damaged; expected "));
  certificate.replace(28, 4, "AAAA");
  put(c.files.certificate, certificate);
  CHECK(contains(c.check(), "a.crt: the CERTIFICATE in the file is damaged; expected "));
}

TEST_CASE("a key with a passphrase is refused without asking for it") {
  const cluster c;
  put(c.files.key, with_passphrase(*read_key(c.files.key, "a key")));
  CHECK(contains(c.check(), "a.key: a passphrase protects the key; expected one without"));
}

TEST_CASE("a certificate is valid from an hour before its making until its end") {
  const cluster c;
  CHECK(c.check(test_time - hours{1}) == "");
  CHECK(c.check(test_time + days{100} - seconds{1}) == "");
  CHECK(c.check(test_time + days{100}) ==
        c.files.certificate.string() +
          ": the certificate expired at 2027-03-01 08:10:00 UTC; expected a new one, made by "
          "'troupe certs issue NODE'");
  CHECK(c.check(test_time - hours{1} - seconds{1}) ==
        c.files.certificate.string() +
          ": the certificate is valid only from 2026-11-21 07:10:00 UTC; expected one that is "
          "valid now, 2026-11-21 07:09:59 UTC: is the clock right?");
}

TEST_CASE("the key of another node is refused") {
  cluster c;
  c.files.key = c.signer.issue({"b"}, days{1}, test_time).key;
  CHECK(c.check() == c.files.key.string() + ": the key does not belong to the certificate in " +
                       c.files.certificate.string() + "; expected the two that were made together");
}

TEST_CASE("a certificate of another authority is refused") {
  cluster c;
  const auto other = authority::create(c.here / "other", test_time);
  c.files.authority = other.files().certificate;
  CHECK(c.check() == c.files.certificate.string() + ": the certificate is signed by '" +
                       c.signer.name() + "', which is not in " + c.files.authority.string() +
                       "; expected one signed by '" + other.name() + "'");
}

TEST_CASE("one of several authorities is enough") {
  const cluster c;
  const auto other = authority::create(c.here / "other", test_time);
  put(c.files.authority, get(other.files().certificate) + get(c.files.authority));
  CHECK(check_tls_files(c.files, test_time).authority == c.signer.name());
}

TEST_CASE("an authority of the same name with another key is refused") {
  cluster c;
  const auto key = make_key();
  const auto impostor = make_authority_certificate(c.signer.name(), *key,
                                                   {test_time - hours{1}, test_time + days{100}});
  put(c.files.authority, to_pem(*impostor));
  CHECK(contains(c.check(), "a.crt: the certificate is signed by '" + c.signer.name() +
                              "', which is not in "));
}

TEST_CASE("a node is no authority, and an authority is no node") {
  cluster c;
  const auto authority_file = c.files.authority;
  c.files.authority = c.files.certificate;
  CHECK(contains(c.check(), "a.crt: 'a' is not an authority; expected "));
  c.files = {authority_file, c.signer.files().key, authority_file};
  CHECK(contains(c.check(), "ca.crt: '" + c.signer.name() + "' is an authority; expected "));
}

TEST_CASE("an authority that has expired, or is not yet valid, is refused") {
  cluster c;
  const auto key = read_key(c.signer.files().key, "a key");
  const auto replace_authority = [&](wall_time from, wall_time until) {
    put(c.files.authority,
        to_pem(*make_authority_certificate(c.signer.name(), *key, {from, until})));
  };
  replace_authority(test_time - days{2}, test_time - days{1});
  CHECK(c.check() == c.files.authority.string() + ": the authority '" + c.signer.name() +
                       "' expired at 2026-11-20 08:10:00 UTC; expected a new one, made by 'troupe "
                       "certs init', and new certificates from it");
  replace_authority(test_time + days{1}, test_time + days{2});
  CHECK(contains(c.check(), "ca.crt: the authority '" + c.signer.name() +
                              "' is valid only from 2026-11-22 08:10:00 UTC"));
  replace_authority(test_time - days{1}, test_time + days{40});
  CHECK(check_tls_files(c.files, test_time).valid_until == test_time + days{40});
}

TEST_CASE("a certificate for servers only is refused") {
  const cluster c;
  const auto signing_key = read_key(c.signer.files().key, "a key");
  for (const char* only : {"serverAuth", "clientAuth"}) {
    const auto certificates = read_certificates(c.files.certificate, "a certificate");
    change(*certificates[0], NID_ext_key_usage, only, *signing_key);
    put(c.files.certificate, to_pem(*certificates[0]));
    CHECK(contains(c.check(), "a.crt: the certificate is not made for both ends of a connection"));
  }
}

TEST_CASE("a certificate that does not name one node is refused") {
  const cluster c;
  const auto signing_key = read_key(c.signer.files().key, "a key");
  for (const char* names : {"DNS:a", "URI:troupe://node/a,URI:troupe://node/b"}) {
    const auto certificates = read_certificates(c.files.certificate, "a certificate");
    change(*certificates[0], NID_subject_alt_name, names, *signing_key);
    put(c.files.certificate, to_pem(*certificates[0]));
    CHECK(contains(c.check(), "a.crt: the certificate names no node and no roles; expected a new "
                              "one, made by 'troupe certs issue NODE --roles ROLES'"));
  }
}

TEST_CASE("a key that is too short is refused") {
  const cluster c;
  const key_ptr weak{EVP_RSA_gen(1024)};
  const auto signing_key = read_key(c.signer.files().key, "a key");
  const auto signer = read_certificates(c.files.authority, "a certificate");
  put(c.files.key, to_pem(*weak));
  put(c.files.certificate,
      to_pem(*make_node_certificate({"a"}, *weak, {test_time, test_time + days{1}}, *signer[0],
                                    *signing_key)));
  CHECK(contains(c.check(), "a.crt: the certificate is refused: EE certificate key too weak; "));
}

TEST_CASE("intermediate authorities follow the certificate, where their authority allows them") {
  const cluster c;
  const auto root_key = read_key(c.signer.files().key, "a key");
  const auto root = read_certificates(c.files.authority, "a certificate");
  const auto middle_key = make_key();
  const validity period{test_time, test_time + days{50}};
  const auto middle = make_authority_certificate("middle", *middle_key, period);
  REQUIRE(X509_set_issuer_name(middle.get(), X509_get_subject_name(root[0].get())) == 1);
  REQUIRE(X509_sign(middle.get(), root_key.get(), EVP_sha256()) > 0);
  const auto key = read_key(c.files.key, "a key");
  const auto node =
    make_node_certificate({"a"}, *key, {test_time, test_time + days{60}}, *middle, *middle_key);
  put(c.files.certificate, to_pem(*node));
  CHECK(contains(c.check(), "a.crt: the certificate is signed by 'middle', which is not in "));
  put(c.files.certificate, to_pem(*node) + to_pem(*middle));
  CHECK(contains(c.check(), "path length constraint exceeded"));

  change(*root[0], NID_basic_constraints, "critical,CA:TRUE", *root_key);
  put(c.files.authority, to_pem(*root[0]));

  const auto identity = check_tls_files(c.files, test_time);
  CHECK(identity.authority == c.signer.name());
  CHECK(identity.valid_until == test_time + days{50});
}
