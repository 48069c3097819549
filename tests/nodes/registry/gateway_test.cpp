#include "nodes/clocks/utc_clock.hpp"
#include "nodes/fixture.hpp"
#include "nodes/registry/gateway.hpp"
#include "nodes/registry/identity_text.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s;

/// The gateway of a master's node, and one that stands for the gateway of another node.
struct master_gateway : test::local_system {
  std::mutex mutex;
  std::string waits = "?";
  std::vector<std::pair<instant, std::function<void(bool)>>> asked_to_keep;
  caf::actor way;
  caf::scoped_actor other{system};

  /// All connections are those of `peer`, or anybody's if it has no name.
  explicit master_gateway(const introduction& peer = {}, bool begins = true, bool stores = false) {
    gateway_config with;
    if (!peer.name.empty())
      with.peer_of = [found = std::make_shared<const introduction>(peer)](const caf::actor&) {
        return found;
      };
    with.who.name = "m";
    with.who.host = "127.0.0.1";
    with.who.roles.master = with.who.roles.workload = true;
    with.machines = 1;
    with.mail = std::make_shared<message_router>(system);
    with.report_interval = 1ms;
    with.welcome = [](const node_welcome&) {};
    with.learn = [](const node_list&) {};
    with.report = [] {
      node_report r;
      r.index = 1;
      return r;
    };
    with.fail = [](const std::string&) {};
    with.alone = [] {};
    with.hand_over = [](const member&) {};
    with.describe = [](const node_list& nodes) {
      cluster_report all;
      all.nodes = nodes;
      return all;
    };
    with.plan_policies = [](const policy_request& asked, instant after) {
      return asked.policy.empty()
               ? policy_reply{{}, "there is no such policy", true}
               : policy_reply{
                   {{after + 1ns, asked.schedulers, {asked.policy, asked.settings}}}, "", false};
    };
    if (stores)
      with.keep_policies = [this](const std::vector<policy_order>& orders, std::int64_t,
                                  std::function<void(bool)> tell) {
        const std::lock_guard lock{mutex};
        asked_to_keep.push_back({orders.front().at, std::move(tell)});
      };
    with.waits = [this](const std::string& what) {
      const std::lock_guard lock{mutex};
      waits = what;
    };
    way = system.spawn(gateway, std::move(with));
    if (begins)
      begin();
  }

  void begin() { caf::anon_send(way, start_atom_v, std::uint16_t{7400}); }

  ~master_gateway() {
    caf::anon_send_exit(way, caf::exit_reason::user_shutdown);
    other->wait_for(way);
  }

  std::string waits_for() {
    status();
    const std::lock_guard lock{mutex};
    return waits;
  }

  node_identity node_b() {
    node_identity who;
    who.name = "b";
    who.host = "127.0.0.1";
    who.boot = 7;
    who.roles = {false, false, 1, 1, 1};
    return who;
  }

  void greet(const node_identity& who) {
    other->send(way, node_greeting{protocol_version, "1", write_identity(system, who)});
  }

  cluster_report status() {
    cluster_report all;
    other->request(way, patience, status_atom_v)
      .receive([&](const cluster_report& r) { all = r; },
               [&](const caf::error& e) { FAIL(system.render(e)); });
    return all;
  }

  policy_reply order(const std::string& policy, std::vector<scheduler_id> schedulers) {
    policy_reply reply;
    other->request(way, patience, policy_request{policy, {"policy.x=1"}, std::move(schedulers)})
      .receive([&](policy_reply& r) { reply = std::move(r); },
               [&](const caf::error& e) { FAIL(system.render(e)); });
    return reply;
  }

  std::string drain(const std::string& name) {
    std::string why;
    other->request(way, patience, drain_atom_v, name)
      .receive([](caf::ok_atom) {}, [&](const caf::error& e) { why = system.render(e); });
    return why;
  }

  const node_report* report_of(const cluster_report& all, std::uint32_t index) {
    for (const auto& r : all.reports)
      if (r.index == index)
        return &r;
    return nullptr;
  }
};

} // namespace

TEST_CASE_FIXTURE(master_gateway, "messages that come from no node do nothing") {
  caf::anon_send(way, node_residents{{{role::owner, 0, 1}}});
  caf::anon_send(way, node_envelopes{"nonsense"});
  caf::anon_send(way, node_clock{1, 2, 3});
  caf::anon_send(way, bye_atom_v);
  node_report forged;
  forged.index = 4711;
  caf::anon_send(way, forged);
  other->send(way, forged);
  CHECK(report_of(status(), 4711) == nullptr);
}

TEST_CASE_FIXTURE(master_gateway, "a node reports of itself only") {
  greet(node_b());
  node_report forged;
  forged.index = 1;
  forged.launched = 4711;
  other->send(way, forged);
  forged.index = 2;
  other->send(way, forged);
  const auto all = status();
  REQUIRE(report_of(all, 2) != nullptr);
  CHECK(report_of(all, 2)->launched == 4711);
  if (const auto* own = report_of(all, 1))
    CHECK(own->launched == 0);
}

TEST_CASE("who greets before the master has begun is taken in when it greets again") {
  master_gateway m{{}, false};
  m.greet(m.node_b());
  m.begin();
  CHECK(m.status().nodes.nodes.size() == 1);
  m.other->receive([](const node_greeting&) { FAIL_CHECK("it was answered"); },
                   caf::after(0s) >> [] {});
  m.greet(m.node_b());
  CHECK(m.status().nodes.nodes.size() == 2);
}

TEST_CASE_FIXTURE(master_gateway, "the node with the master is not drained, others are") {
  greet(node_b());
  CHECK(contains(drain("m"), "node m has the master and the workload, which cannot move"));
  CHECK(contains(drain("x"), "there is no node named x; there are: m, b"));
  CHECK_FALSE(status().nodes.nodes[0].draining);
  CHECK(drain("b").empty());
  CHECK(status().nodes.nodes[1].draining);
}

TEST_CASE_FIXTURE(master_gateway, "orders for policies are in the list that all nodes get") {
  greet(node_b());
  const auto given = order("best-fit", {0, 2});
  CHECK(given.why_not.empty());
  REQUIRE(given.orders.size() == 1);
  order("random-fit", {2});
  const auto refused = order("", {0});
  CHECK(refused.bad_input);
  CHECK(refused.why_not == "there is no such policy");
  const auto list = status().nodes;
  REQUIRE(list.policies.size() == 2);
  CHECK(list.policies[0].schedulers == std::vector<scheduler_id>{0});
  CHECK(list.policies[0].to.policy == "best-fit");
  CHECK(list.policies[0].to.settings == std::vector<std::string>{"policy.x=1"});
  CHECK(list.policies[1].to.policy == "random-fit");
  node_list heard;
  while (heard.policies.size() < 2) {
    bool any = false;
    other->receive(
      [&](const node_list& news) {
        any = true;
        heard = news;
      },
      caf::after(patience) >> [] {});
    REQUIRE(any);
  }
  CHECK(heard.policies[1].at == list.policies[1].at);
}

TEST_CASE("orders are given once the store has kept them, and each has its own time") {
  master_gateway m{{}, true, true};
  const auto ask = [&](const std::string& policy) {
    return m.other->request(m.way, patience, policy_request{policy, {}, {0}});
  };
  auto first = ask("best-fit");
  auto second = ask("worst-fit");
  auto third = ask("random-fit");
  CHECK(m.status().nodes.policies.empty());
  std::vector<std::pair<instant, std::function<void(bool)>>> kept;
  {
    const std::lock_guard lock{m.mutex};
    kept = m.asked_to_keep;
  }
  REQUIRE(kept.size() == 3);
  CHECK(kept[0].first < kept[1].first);
  CHECK(kept[1].first < kept[2].first);
  std::string told;
  const auto take = [&](auto& question) {
    std::move(question).receive([&](policy_reply& r) { told = r.orders.at(0).to.policy; },
                                [&](const caf::error& e) { told = m.system.render(e); });
    return told;
  };
  kept[1].second(true);
  CHECK(take(second) == "worst-fit");
  kept[0].second(true);
  CHECK(take(first) == "best-fit");
  REQUIRE(m.status().nodes.policies.size() == 1);
  CHECK(m.status().nodes.policies[0].to.policy == "worst-fit"); // it was ordered later
  kept[2].second(false);
  CHECK(contains(take(third), "the store of jobs, which keeps policies, does not work now"));
  CHECK(m.status().nodes.policies[0].to.policy == "worst-fit");
}

TEST_CASE_FIXTURE(master_gateway, "a node that calls itself what no node may is refused") {
  auto who = node_b();
  who.name = "b\n12:00:00 error m is broken";
  greet(who);
  std::string why;
  other->receive([&](const node_refusal& r) { why = r.why; }, caf::after(patience) >> [] {});
  CHECK(contains(why, "the name of a node is 'b\\n12:00:00 error m is broken'"));
  CHECK(status().nodes.nodes.size() == 1);
}

TEST_CASE("a greeting is refused that is not of the node whose connection it comes over") {
  master_gateway m{{"a", {"machine"}, "id-a"}};
  const auto refusal_of = [&](const node_identity& who) {
    m.greet(who);
    std::string why;
    m.other->receive([&](const node_refusal& r) { why = r.why; }, caf::after(patience) >> [] {});
    return why;
  };
  auto who = m.node_b();
  who.roles = {false, false, 0, 0, 1};
  CHECK(contains(refusal_of(who), "the certificate is that of a and not of b"));
  who.name = "a";
  who.roles.master = true;
  CHECK(contains(refusal_of(who), "the certificate of a was not issued for master"));
  CHECK(m.status().nodes.nodes.size() == 1);
  who.roles.master = false;
  m.greet(who);
  CHECK(m.status().nodes.nodes.size() == 2);
}

TEST_CASE_FIXTURE(master_gateway, "what is missing is told until nothing is") {
  CHECK(waits_for() ==
        "1 of 1 machines are missing; no node has the role owner; no node has the role scheduler");
  CHECK(status().nodes.missing == waits_for());
  greet(node_b());
  CHECK(waits_for().empty());
  CHECK(status().nodes.missing.empty());
  CHECK(status().nodes.origin != 0);
}

TEST_CASE_FIXTURE(master_gateway, "by how much another clock is ahead is measured") {
  constexpr std::int64_t ahead = 50'000'000;
  greet(node_b());
  node_report own;
  own.index = 2;
  other->send(way, own);
  for (int answers = 0; answers < 3;) {
    bool asked = false;
    other->receive(
      [&](const node_clock& question) {
        asked = true;
        if (question.received == 0) {
          ++answers;
          const auto now = utc_ns() + ahead;
          other->send(way, node_clock{question.asked, now, now});
        }
      },
      caf::after(patience) >> [] {});
    REQUIRE(asked);
  }
  const auto all = status();
  const auto* report = report_of(all, 2);
  REQUIRE(report != nullptr);
  REQUIRE(report->clock_known);
  CHECK(std::abs(report->clock_ahead_ns - ahead) <= report->clock_error_ns);
}

TEST_CASE_FIXTURE(master_gateway, "a node answers what time it is, and hears a goodbye") {
  greet(node_b());
  other->send(way, node_clock{1'000, 0, 0});
  std::int64_t answered = 0;
  while (answered == 0) {
    bool any = false;
    other->receive(
      [&](const node_clock& word) {
        any = true;
        if (word.asked == 1'000)
          answered = word.answered;
      },
      caf::after(patience) >> [] {});
    REQUIRE(any);
  }
  CHECK(answered > 1'000);
  bool heard = false;
  other->request(way, patience, bye_atom_v)
    .receive([&](caf::ok_atom) { heard = true; }, [](const caf::error&) {});
  CHECK(heard);
}

TEST_CASE_FIXTURE(master_gateway, "a node that ends says goodbye to the others, and waits for it") {
  greet(node_b());
  auto ends = other->request(way, patience, bye_atom_v, leave_atom_v);
  bool heard = false;
  other->receive(
    [&](bye_atom) {
      heard = true;
      return caf::ok_atom_v;
    },
    caf::after(patience) >> [] {});
  CHECK(heard);
  bool ended = false;
  std::move(ends).receive([&](caf::ok_atom) { ended = true; }, [](const caf::error&) {});
  CHECK(ended);
}

TEST_CASE_FIXTURE(master_gateway, "a question to a node fails at once when its connection breaks") {
  greet(node_b());
  output_request question;
  question.node = "b";
  caf::scoped_actor asker{system};
  auto asked = asker->request(way, patience, question);
  // Actors of other nodes do not refuse what they have not handled when their connection breaks.
  asker->send(way, caf::down_msg{other.address(), caf::exit_reason::remote_link_unreachable});
  std::string why;
  std::move(asked).receive([](const output_reply&) {},
                           [&](const caf::error& e) { why = system.render(e); });
  CHECK(contains(why, "the connection to the node b has broken"));
}

TEST_CASE_FIXTURE(master_gateway, "of a node that has left only the bytes that it sent are kept") {
  greet(node_b());
  node_report said;
  said.index = 2;
  said.bytes_sent = 70;
  other->send(way, said);
  REQUIRE(report_of(status(), 2) != nullptr);
  bool left = false;
  other->request(way, patience, leave_atom_v, std::string{"b"})
    .receive([&](caf::ok_atom) { left = true; }, [](const caf::error&) {});
  CHECK(left);
  CHECK(report_of(status(), 2) == nullptr);
  CHECK(status().bytes_of_left == 70);
}

TEST_CASE("hosts are names and addresses") {
  for (const auto* host : {"10.0.0.1", "localhost", "rack-2.example.org", "::1", "fe80::1%eth0"})
    CHECK(is_host(host));
  for (const auto* host : {"", "a b", "a\nb", "\x1b[31m", "a/b", "-x", "h\xC3\xA9"})
    CHECK_FALSE(is_host(host));
  CHECK_FALSE(is_host(std::string(254, 'a')));
}

TEST_CASE("attributes of a machine are text that can be shown") {
  node_identity who;
  who.name = "a";
  who.host = "10.0.0.1";
  who.machine.attributes["rack"] = "r7";
  CHECK(why_no_node(who).empty());
  who.machine.attributes["rack"] = "r7\x1b[2J";
  CHECK(contains(why_no_node(who), "an attribute is 'rack' = 'r7\\x1b[2J'"));
}
