#include "nodes/network/rogue_client.hpp"
#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <vector>

using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Where addresses are checked, up to 256 MB of freed memory are kept.
#ifdef TROUPE_SANITIZE
constexpr long most_memory_kib = 384 << 10;
#else
constexpr long most_memory_kib = 8 << 10;
#endif

/// A header of CAF's protocol that announces 256 MB.
const std::string greedy_header = [] {
  std::string header(32, '\0');
  header[4] = 0x10;
  return header;
}();

/// One of a client's greeting, with 127 MB to come.
const std::string large_header = [] {
  std::string header(32, '\0');
  header[0] = 1;
  header[4] = 0x07;
  header[5] = static_cast<char>(0xF0);
  return header;
}();

/// What a process has at most held in memory since that was last asked.
class memory_of {
public:
  explicit memory_of(pid_t pid) : folder_("/proc/" + std::to_string(pid)), before_(read("VmRSS")) {
    std::ofstream{folder_ + "/clear_refs"} << 5;
  }

  long grown_kib() const { return std::max(read("VmHWM"), read("VmRSS")) - before_; }

private:
  long read(const std::string& what) const {
    std::ifstream in{folder_ + "/status"};
    for (std::string word; in >> word;)
      if (word == what + ':') {
        long kib = 0;
        in >> kib;
        return kib;
      }
    return 0;
  }

  std::string folder_;
  long before_;
};

/// A cluster that works, of which the node with the master and the workload is attacked.
struct attacked_cluster {
  running_cluster cluster{{"--once", "--set", "workload.phases=[{length=\"20s\", rate=200}]"}};
  std::filesystem::path folder = cluster.here().path() / "cluster";
  std::string at = [this] {
    auto text = read_file(folder / "node-1" / "address");
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }();

  attacked_cluster() { cluster.wait_until_finished(100); }

  memory_of memory() const { return memory_of{cluster.pid_of("node-1")}; }

  std::string log() const { return read_file(folder / "node-1" / "log"); }

  /// The messages in it, without the progress that the node shows every few seconds.
  std::string messages() const {
    std::istringstream lines{log()};
    std::string all;
    for (std::string line; std::getline(lines, line);)
      if (line.size() > 8 && line[2] == ':' && line[5] == ':')
        all += line + '\n';
    return all;
  }

  /// How many lines of its log name a client by its address.
  long lines_on(const std::string& client) const {
    std::istringstream lines{log()};
    long n = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.find(client + ' ') != std::string::npos)
        ++n;
    return n;
  }

  long lines_with(const std::string& text) const {
    std::istringstream lines{log()};
    long n = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.find(text) != std::string::npos)
        ++n;
    return n;
  }

  /// How many silent connections its log counts without a line for each.
  long summed_up() const {
    const auto text = log();
    const std::regex sum{"node-1: ([0-9]+) more silent connections"};
    long n = 0;
    for (std::sregex_iterator it{text.begin(), text.end(), sum}, end; it != end; ++it)
      n += std::stol((*it)[1]);
    return n;
  }

  /// The service is what it was.
  void check_service() {
    const auto end = cluster.up().wait();
    CAPTURE(end.err);
    CHECK(end.code == 0);
    const auto summary = cluster.summary();
    CHECK(summary["tasks"]["submitted"].get<int>() > 2000);
    CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
    for (const auto& check : summary["checks"]) {
      CAPTURE(check.dump());
      CHECK(check["passed"] == true);
    }
    CHECK(end.err.find("is gone") == std::string::npos);
    CHECK(cluster.none_is_left());
  }
};

void check_refused(const attacked_cluster& of, const rogue_client& client) {
  CHECK(client.is_closed(20s));
  CHECK(eventually([&] { return of.lines_on(client.address()) >= 1; }, 20s));
  CHECK(of.lines_on(client.address()) == 1);
}

} // namespace

TEST_CASE("who does not belong to a cluster gets nowhere and costs nothing") {
  attacked_cluster victim;
  REQUIRE(victim.cluster.here().run({"certs", "init", "--dir", "other"}).code == 0);
  REQUIRE(victim.cluster.here().run({"certs", "issue", "rogue", "--dir", "other"}).code == 0);
  const auto memory = victim.memory();

  INFO("a certificate of another authority");
  rogue_client stranger{victim.at};
  stranger.start_tls(victim.cluster.here().path() / "other", "rogue");
  check_refused(victim, stranger);

  INFO("no certificate");
  rogue_client nobody{victim.at};
  nobody.start_tls();
  check_refused(victim, nobody);

  INFO("no encryption");
  rogue_client plain{victim.at};
  plain.send("GET / HTTP/1.1\r\nHost: troupe\r\n\r\n");
  check_refused(victim, plain);

  INFO("garbage");
  rogue_client noise{victim.at};
  std::mt19937 random{1};
  std::string bytes(4096, '\0');
  std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
  noise.send(bytes);
  check_refused(victim, noise);

  INFO("a header that announces 256 MB, without encryption");
  rogue_client greedy{victim.at};
  greedy.send(greedy_header);
  check_refused(victim, greedy);

  INFO("the same with a certificate of the cluster");
  rogue_client traitor{victim.at};
  REQUIRE(traitor.start_tls(victim.folder / "certs", "client"));
  REQUIRE(traitor.send_encrypted(introduction_of("client", {}) + greedy_header));
  check_refused(victim, traitor);

  INFO("who has left before anything was said");
  std::string curious = [&] { return rogue_client{victim.at}.address(); }();
  CHECK(eventually([&] { return victim.lines_on(curious) == 1; }, 20s));

  INFO("who has a certificate and only looks on");
  const auto before = victim.messages();
  CHECK(victim.cluster.status().is_object());
  CHECK(victim.messages() == before);

  CHECK(memory.grown_kib() < most_memory_kib);

  INFO("many with a certificate that announce what each of them might");
  std::vector<rogue_client> traitors;
  for (int n = 0; n < 6; ++n) {
    traitors.emplace_back(victim.at);
    REQUIRE(traitors.back().start_tls(victim.folder / "certs", "client"));
  }
  for (auto& client : traitors)
    REQUIRE(client.send_encrypted(introduction_of("client", {}) + large_header));
  CHECK(eventually([&] { return victim.lines_with("exceed the limit of 268435456") == 4; }, 20s));
  CHECK(memory.grown_kib() < most_memory_kib);
  victim.check_service();
}

TEST_CASE("who connects and says nothing is sent away") {
  attacked_cluster victim;
  const auto memory = victim.memory();
  const rogue_client silent{victim.at};
  rogue_client half_way{victim.at};
  half_way.send(std::string{"\x16\x03\x01\x02\x00\x01", 6}); // how a handshake begins
  rogue_client encrypted{victim.at};
  REQUIRE(encrypted.start_tls(victim.folder / "certs", "client"));

  check_refused(victim, silent);
  check_refused(victim, half_way);
  CHECK(encrypted.is_closed(20s));
  CHECK(memory.grown_kib() < most_memory_kib);
  victim.check_service();
}

TEST_CASE("many who connect at once cost nothing") {
  attacked_cluster victim;
  const auto memory = victim.memory();
  std::vector<rogue_client> crowd;
  for (int n = 0; n < 200; ++n)
    crowd.emplace_back(victim.at);
  for (const auto& client : crowd)
    CHECK(client.is_closed(30s));
  CHECK(memory.grown_kib() < most_memory_kib);
  victim.check_service();
  const auto lines = victim.lines_with("connected but did not identify itself");
  CHECK(lines <= 20); // ten within ten seconds, and all of it took less than twenty
  CHECK(lines + victim.summed_up() == 200);
}
