#include "jobs/store/postgres_session.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <libpq-fe.h>
#include <memory>
#include <string_view>

namespace troupe {

namespace {

/// What libpq does unless the address says otherwise. A host that is gone is noticed within some
/// seconds. A session that stands still within a transaction is ended by the server, since it may
/// hold the row that another keeper waits for.
struct libpq_default {
  const char* name;
  const char* value;
};
constexpr libpq_default defaults[] = {
  {"application_name", "troupe"},         {"connect_timeout", "5"},   {"keepalives_idle", "5"},
  {"keepalives_interval", "2"},           {"keepalives_count", "3"},  {"tcp_user_timeout", "5000"},
  {"target_session_attrs", "read-write"}, {"client_encoding", "UTF8"}};
constexpr const char* session_settings =
  "-c idle_in_transaction_session_timeout=2000 -c lock_timeout=5000";

std::string in_quotes(std::string_view value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\')
      text += '\\';
    text += c;
  }
  return text + '\'';
}

/// Returns the options of an address, with those of this program.
std::string options_of(const std::string& address) {
  char* raw_why = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed{
    PQconninfoParse(address.c_str(), &raw_why), &PQconninfoFree};
  const std::unique_ptr<char, decltype(&PQfreemem)> why{raw_why, &PQfreemem};
  if (!parsed)
    throw store_refused{std::string{"the address of the store: "} +
                        (why ? line_of(std::runtime_error{why.get()}) : "cannot be read")};
  std::string text;
  std::string settings = session_settings;
  for (const auto* o = parsed.get(); o->keyword != nullptr; ++o) {
    const std::string_view name = o->keyword;
    if (name == "options") {
      if (o->val != nullptr)
        settings = std::string{o->val} + ' ' + settings;
      continue;
    }
    const auto* const fallback =
      std::ranges::find_if(defaults, [&](const auto& d) { return name == d.name; });
    const char* const value = o->val != nullptr                ? o->val
                              : fallback != std::end(defaults) ? fallback->value
                                                               : nullptr;
    if (value != nullptr)
      text += std::string{name} + '=' + in_quotes(value) + ' ';
  }
  return text + "options=" + in_quotes(settings);
}

/// Classes of errors after which another session may find all well: of connections, of a server
/// that is read-only as standbys are, of resources, of operators, of the system, and of
/// transactions that were in the way of others.
bool may_pass(const std::string& state) {
  constexpr std::array<std::string_view, 8> passing{"08", "25006", "25P03", "40",
                                                    "53", "55P03", "57",    "58"};
  return std::ranges::any_of(passing, [&](auto of) { return state.starts_with(of); });
}

constexpr const char* disk_full = "53100";

} // namespace

std::string line_of(const std::exception& e) {
  std::string text = e.what();
  for (const auto* kind : {"ERROR:  ", "FATAL:  ", "PANIC:  "})
    if (const auto at = text.find(kind); at != std::string::npos)
      text.erase(0, at + std::string_view{kind}.size());
  return text.substr(0, text.find('\n'));
}

std::string storable(const std::string& text) {
  const auto plain = [](unsigned char c) { return c != 0 && c < 0x80; };
  if (std::ranges::all_of(text, plain))
    return text;
  auto good = text;
  std::ranges::replace(good, '\0', '?');
  using json = nlohmann::json;
  return json::parse(json(good).dump(-1, ' ', false, json::error_handler_t::replace))
    .get<std::string>();
}

postgres_session::postgres_session(const std::string& address) : options_(options_of(address)) {}

pqxx::connection& postgres_session::connection() {
  if (open_ && !open_->to.is_open())
    open_.reset();
  if (!open_)
    open_.emplace(options_);
  return open_->to;
}

void postgres_session::fail(const std::exception& why) {
  const auto text = line_of(why);
  const bool lost = !open_ || !open_->to.is_open();
  const auto* const refused = dynamic_cast<const pqxx::sql_error*>(&why);
  const auto state = refused != nullptr ? refused->sqlstate() : std::string{};
  if (refused != nullptr && !lost && state == disk_full)
    throw store_full{"the store is full: " + text};
  close();
  const bool unclear = dynamic_cast<const pqxx::failure*>(&why) != nullptr &&
                       (refused == nullptr || state.empty() || may_pass(state));
  if (lost || unclear)
    throw store_away{"the store does not answer: " + text};
  throw store_broken{"the store does not work: " + text};
}

} // namespace troupe
