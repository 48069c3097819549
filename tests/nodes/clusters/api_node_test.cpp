#include "nodes/clusters/page_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sys/stat.h>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

std::string page_file(const fs::path& state) {
  return read_file(state / "page");
}

std::string address_in(const fs::path& state) {
  auto text = read_file(state / "address");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

} // namespace

TEST_CASE("a node with the role api shows the cluster, also after it was restarted") {
  running_cluster cluster{{"--serve", "127.0.0.1:0", "--restart", "--set", endless}};
  const auto state = cluster.here().path() / "cluster" / "node-5";
  const auto page = page_reader::of(page_file(state));
  CHECK(contains(page.get("/"), "<html"));
  json first;
  CHECK(eventually([&] {
    first = page.state();
    return first["totals"]["finished"].get<int>() > 200 && first["details"]["nodes"]["count"] == 5;
  }));
  CHECK(counts_come_to_agree(page));
  const auto nodes = first["details"]["nodes"]["shown"];
  CHECK(std::any_of(nodes.begin(), nodes.end(), [](const json& n) { return n["roles"] == "api"; }));
  CHECK(contains(page.get("/metrics"), "\ntroupe_tasks_placed_total{"));
  CHECK(eventually([&] { return page.state()["samples"] > first["samples"]; }));

  kill(cluster.pid_of("node-3"), SIGKILL);
  CHECK(eventually([&] { return page.has_event("takeover"); }));

  // The next process serves at the same address, and knows the run from its start.
  const auto before = cluster.pid_of("node-5");
  kill(before, SIGKILL);
  CHECK(eventually([&] {
    const auto now = page.state();
    return cluster.pid_of("node-5") != before && now.is_object() &&
           now["about"]["run"] == first["about"]["run"] && now["samples"] > first["samples"] &&
           now["totals"]["submitted"] >= first["totals"]["submitted"];
  }));
  const auto url = page_file(state);
  cluster.up().send_signal(SIGINT);
  const auto end = cluster.up().wait();
  CHECK(end.code == 130);
  CHECK(contains(end.out, "The live page is at " + url));
  CHECK(cluster.none_is_left());
}

TEST_CASE("figures go on while the master is away, and the page says that it is") {
  const scratch here;
  here.write("small.toml", small_settings);
  const auto start = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{"node", "--name", name, "--state", name};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<program>(here.path(), words);
  };
  const auto start_master = [&](const std::string& listen) {
    auto node = start("m", {"--roles", "master", "--config", "small.toml", "--set", endless,
                            "--listen", listen, "--expect", "4"});
    REQUIRE(node->wait_for("listens on"));
    return node;
  };
  auto master = start_master("127.0.0.1:0");
  const auto at = address_in(here.path() / "m");
  auto work = start("w", {"--roles", "workload", "--join", at});
  auto others =
    start("o", {"--roles", "owner,scheduler,machine", "--machines", "100", "--join", at});
  auto api = start("p", {"--roles", "api", "--serve", "127.0.0.1:0", "--join", at});
  REQUIRE(api->wait_for("serves the live page at "));
  const auto page = page_reader::of(page_file(here.path() / "p"));
  json now;
  REQUIRE(eventually([&] {
    now = page.state();
    return now["totals"]["finished"].get<int>() > 100;
  }));

  master->send_signal(SIGKILL);
  master->wait();
  CHECK(eventually([&] { return page.has_event("silent"); }));
  now = page.state();
  const auto& events = now["events"];
  const auto silent =
    std::ranges::find_if(events, [](const json& e) { return e["what"] == "silent"; });
  REQUIRE(silent != events.end());
  const auto why = (*silent)["detail"].get<std::string>();
  CAPTURE(why); // a question may have been under way
  CHECK((contains(why, "there is no connection to the node with the master, m") ||
         contains(why, "the connection to the node m has broken")));
  const auto finished = now["totals"]["finished"].get<int>();
  CHECK(eventually([&] { return page.state()["totals"]["finished"].get<int>() > finished; }));
  CHECK_FALSE(page.has_event("back"));

  master = start_master(at);
  CHECK(eventually([&] { return page.has_event("back"); }));
  for (auto* node : {api.get(), others.get(), work.get(), master.get()})
    check_ends_well(*node, SIGTERM);
}

TEST_CASE("a page by TLS demands the token, which is in a file that nobody else may read") {
  running_cluster cluster{{"--serve", "127.0.0.1:0", "--serve-tls", "--set", endless}};
  const auto state = cluster.here().path() / "cluster" / "node-5";
  const auto url = page_file(state);
  CHECK(contains(url, "https://127.0.0.1:"));
  const auto token = read_file(cluster.here().path() / "cluster" / "certs" / "node-5.token");
  CHECK(url.ends_with("/#token=" + token));
  struct stat facts {};
  REQUIRE(stat((state / "page").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 077) == 0);
  const std::regex address{R"(:(\d+)/)"};
  std::smatch found;
  REQUIRE(std::regex_search(url, found, address));
  troupe::web_client client{static_cast<std::uint16_t>(std::stoi(found[1]))};
  client.try_to_send(troupe::get_text("/api/v1/state"));
  CHECK_FALSE(contains(client.read_all(), "totals")); // without TLS
}

TEST_CASE("a node says what is wrong with its options for the page") {
  const scratch here;
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"node", "--name", "a", "--join", "127.0.0.1:1"};
    words.insert(words.end(), more.begin(), more.end());
    const auto end = here.run(words);
    CHECK(end.code == 2);
    return end.err;
  };
  CHECK(contains(run({"--roles", "owner", "--serve", "127.0.0.1:0"}),
                 "node: --serve or --serve-tls without the role api; expected both or none"));
  CHECK(contains(run({"--roles", "api", "--serve", "127.0.0.1:x"}),
                 "node: --serve 127.0.0.1:x: the port is 'x'"));
  CHECK(contains(run({"--roles", "api", "--serve", "0.0.0.0:0"}),
                 "node: --serve 0.0.0.0:0: not a loopback address; expected one such as "
                 "127.0.0.1:8980, or --serve-tls"));
  CHECK(contains(run({"--roles", "api", "--serve-tls"}),
                 "node: --serve-tls: there are no certificates"));
}
