#include "scratch_directory.hpp"
#include "security/authority.hpp"
#include "security/tls_probe.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s;

bool contains(const std::optional<std::string>& text, const std::string& part) {
  return text && text->find(part) != std::string::npos;
}

/// A port of loopback with a listener.
class listener {
public:
  listener() : fd_{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    REQUIRE(bind(fd_, reinterpret_cast<sockaddr*>(&at), size) == 0);
    REQUIRE(listen(fd_, 8) == 0);
    REQUIRE(getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
    port_ = ntohs(at.sin_port);
  }
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;
  ~listener() { stop(); }

  void stop() {
    if (fd_ >= 0)
      close(fd_);
    fd_ = -1;
  }

  int accept_one() const { return accept(fd_, nullptr, nullptr); }
  std::uint16_t port() const { return port_; }

private:
  int fd_;
  std::uint16_t port_ = 0;
};

/// Serves one connection as a node does: wants a certificate, and speaks first.
void serve(const listener& at, const tls_files& own) {
  const int fd = at.accept_one();
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate_chain_file(context, own.certificate.c_str());
  SSL_CTX_use_PrivateKey_file(context, own.key.c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_load_verify_locations(context, own.authority.c_str(), nullptr);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL* line = SSL_new(context);
  SSL_set_fd(line, fd);
  if (SSL_accept(line) == 1) {
    SSL_write(line, "hello", 5);
    char last = 0;
    SSL_read(line, &last, 1);
  }
  ERR_clear_error();
  SSL_free(line);
  SSL_CTX_free(context);
  shutdown(fd, SHUT_WR);
  char rest = 0;
  while (read(fd, &rest, 1) > 0) {
  }
  close(fd);
}

struct two_authorities {
  scratch_directory here;
  authority ours = authority::create(here / "ours", std::chrono::system_clock::now());
  authority others = authority::create(here / "others", std::chrono::system_clock::now());

  tls_files issue(const authority& by, const std::string& name) const {
    const auto made = by.issue(name, std::chrono::days{10}, std::chrono::system_clock::now());
    return {made.certificate, made.key, by.files().certificate};
  }

  static std::optional<std::string> probe(const tls_files& server, const tls_files& client) {
    const listener at;
    std::thread other{[&] { serve(at, server); }};
    const auto why = why_no_connection("127.0.0.1", at.port(), client, patience);
    other.join();
    return why;
  }
};

} // namespace

TEST_CASE_FIXTURE(two_authorities, "whoever has certificates of the same authority can connect") {
  CHECK_FALSE(probe(issue(ours, "a"), issue(ours, "client")));
}

TEST_CASE_FIXTURE(two_authorities, "a certificate that this side refuses is told of") {
  CHECK(contains(probe(issue(others, "a"), issue(ours, "client")),
                 "its certificate is refused by this side"));
}

TEST_CASE_FIXTURE(two_authorities, "a certificate that the other side refuses is told of") {
  // This side trusts the other one, which does not trust this side.
  auto client = issue(ours, "client");
  client.authority = others.files().certificate;
  const auto why = probe(issue(others, "a"), client);
  CAPTURE(why.value_or(""));
  CHECK(contains(why, "it refuses the certificate " + client.certificate.string()));
}

TEST_CASE_FIXTURE(two_authorities, "nobody and those who do not answer are told apart") {
  const auto client = issue(ours, "client");
  listener at;
  const auto silent = why_no_connection("127.0.0.1", at.port(), client, 50ms);
  CHECK(contains(silent, "it does not answer within 50 ms"));
  CHECK_FALSE(why_no_connection("127.0.0.1", at.port(), std::nullopt, patience));
  at.stop();
  CHECK(contains(why_no_connection("127.0.0.1", at.port(), client, patience),
                 "nothing listens there: Connection refused"));
}

TEST_CASE_FIXTURE(two_authorities, "who speaks no TLS is told of") {
  const listener at;
  std::thread other{[&] {
    const int fd = at.accept_one();
    CHECK(write(fd, "SSH-2.0-nothing\r\n", 17) == 17);
    shutdown(fd, SHUT_WR);
    char rest = 0;
    while (read(fd, &rest, 1) > 0) {
    }
    close(fd);
  }};
  const auto why = why_no_connection("127.0.0.1", at.port(), issue(ours, "client"), patience);
  other.join();
  CAPTURE(why.value_or(""));
  CHECK(contains(why, "TLS fails"));
}
