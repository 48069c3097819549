#include "nodes/observer.hpp"

#include "actors/messages.hpp"
#include "nodes/identity_text.hpp"
#include "nodes/node_system.hpp"
#include "nodes/tls_lines.hpp"
#include "report/printable.hpp"
#include "security/tls_probe.hpp"
#include "security/tls_snapshot.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/openssl/manager.hpp>

#include <set>
#include <stdexcept>
#include <unistd.h>

namespace troupe {

namespace {

/// Of what the other side says.
constexpr std::size_t longest_text = 1000;

constexpr auto heartbeat = std::chrono::milliseconds{500};

/// What an error says, without what CAF writes around it.
std::string text_of(const caf::actor_system& system, const caf::error& why) {
  if (why == caf::sec::runtime_error && why.context().size() == 1 &&
      why.context().match_elements<std::string>())
    return why.context().get_as<std::string>(0);
  if (why == caf::sec::request_timeout)
    return "no answer has come in time";
  if (why == caf::sec::request_receiver_down)
    return "it has ended, or the connection is cut";
  return system.render(why);
}

std::string wrong_version(std::uint32_t protocol, const std::string& version) {
  return "it speaks protocol " + std::to_string(protocol) + " (troupe " + version +
         "), this program protocol " + std::to_string(protocol_version) +
         " (troupe " TROUPE_VERSION "); expected the same on both sides";
}

} // namespace

class observer::line {
public:
  explicit line(const observer_options& options)
    : options_(options), files_(check(options)), system_(config_), self_(system_) {
    watch_tls_lines("client");
    connect();
    greet();
  }

  template <class Result, class... Words>
  Result ask(Words... words) {
    std::optional<Result> result;
    self_->request(way_, options_.patience, words...)
      .receive([&](Result& r) { result = std::move(r); },
               [&](const caf::error& why) { refuse(text_of(system_, why)); });
    return std::move(*result);
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error(options_.at.host + ':' + std::to_string(options_.at.port) + ": " +
                             printable(why, longest_text));
  }

  /// Everything that CAF would only hang at is found before it is started.
  std::optional<tls_files> check(const observer_options& options) {
    if (options.credentials)
      snapshot_.emplace(*options.credentials, std::chrono::system_clock::now());
    if (const auto why = why_no_connection(options.at.host, options.at.port, options.credentials,
                                           options.patience))
      refuse(*why);
    auto files = snapshot_ ? std::optional{snapshot_->files()} : std::nullopt;
    // The cluster's own time-outs decide how soon a line counts as cut; a client is patient.
    configure_node_system(config_, files, heartbeat, options.patience);
    return files;
  }

  void connect() {
    std::string last = "it cannot be reached";
    for (int attempts = 0; attempts < 3 && !way_; ++attempts)
      self_
        ->request(system_.openssl_manager().actor_handle(), options_.patience, caf::connect_atom_v,
                  options_.at.host, options_.at.port)
        .receive(
          [&](const caf::node_id&, const caf::strong_actor_ptr& found,
              const std::set<std::string>&) {
            if (found)
              way_ = caf::actor_cast<caf::actor>(found);
            else
              last = "it is no node of a cluster";
          },
          [&](const caf::error& why) { last = text_of(system_, why); });
    if (!way_)
      refuse(last);
  }

  void greet() {
    node_identity who;
    who.name = "client";
    who.pid = getpid();
    who.observes = true;
    self_->send(way_,
                node_greeting{protocol_version, TROUPE_VERSION, write_identity(system_, who)});
    bool answered = false;
    self_->receive(
      [&](const node_greeting& hello) {
        if (hello.protocol != protocol_version)
          refuse(wrong_version(hello.protocol, hello.version));
        answered = true;
      },
      [&](const node_refusal& refusal) { refuse(refusal.why); },
      caf::after(options_.patience) >> [] {});
    if (!answered)
      refuse("it does not answer, as a node would");
  }

  observer_options options_;
  std::optional<tls_snapshot> snapshot_;
  caf::actor_system_config config_;
  std::optional<tls_files> files_;
  caf::actor_system system_;
  caf::scoped_actor self_;
  caf::actor way_;
};

observer::observer(const observer_options& options) : line_(std::make_unique<line>(options)) {}

observer::~observer() = default;

cluster_report observer::status() {
  return line_->ask<cluster_report>(status_atom_v);
}

void observer::drain(const std::string& node) {
  line_->ask<caf::ok_atom>(drain_atom_v, node);
}

} // namespace troupe
