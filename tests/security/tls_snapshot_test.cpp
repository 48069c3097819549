#include "scratch_directory.hpp"
#include "security/authority.hpp"
#include "security/tls_snapshot.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;
using std::chrono::days;

namespace {

tls_files make_files(const scratch_directory& here) {
  const auto signer = authority::create(here / "certs", test_time);
  const auto node = signer.issue("a", days{100}, test_time);
  return {node.certificate, node.key, signer.files().certificate};
}

} // namespace

TEST_CASE("a snapshot stays usable when the files change or vanish") {
  const scratch_directory here;
  const auto files = make_files(here);
  const auto key = get(files.key);
  const tls_snapshot snapshot{files, test_time};
  put(files.key, "damaged");
  fs::remove(files.authority);
  CHECK(refusal([&] { check_tls_files(files, test_time); }) != "");
  CHECK(snapshot.identity().name == "a");
  CHECK(snapshot.identity().warnings.empty());
  for (int times = 0; times < 2; ++times) {
    CHECK(get(snapshot.files().key) == key);
    CHECK(check_tls_files(snapshot.files(), test_time).valid_until == test_time + days{100});
  }
}

TEST_CASE("a snapshot cannot be changed, and is not inherited by other programs") {
  const scratch_directory here;
  const tls_snapshot snapshot{make_files(here), test_time};
  for (const auto& path : {snapshot.files().certificate, snapshot.files().key}) {
    CHECK(mode_of(path) == 0600);
    CHECK(::truncate(path.c_str(), 0) != 0);
    const auto number = std::stoi(path.filename().string());
    CHECK((::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0);
  }
}

TEST_CASE("a snapshot is not made of files that are refused, and its paths end with it") {
  const scratch_directory here;
  const auto files = make_files(here);
  fs::path was;
  {
    const tls_snapshot snapshot{files, test_time};
    was = snapshot.files().key;
    CHECK(fs::exists(was));
  }
  CHECK_FALSE(fs::exists(was));
  CHECK(refusal([&] {
          tls_snapshot{files, test_time + days{100}};
        }).starts_with(files.certificate.string() + ": the certificate expired at "));
}
