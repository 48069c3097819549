#include "web/route_table.hpp"

#include "web/gzip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <openssl/sha.h>

namespace troupe {

namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1); // the slash
    const auto end = std::min(path.find('/'), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

bool is_name(const std::string& part) {
  return part.size() > 2 && part.front() == '{' && part.back() == '}';
}

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string>& parts,
          std::map<std::string, std::string>& named) {
  named.clear();
  if (pattern.size() != parts.size())
    return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (is_name(pattern[i]) && !parts[i].empty())
      named[pattern[i].substr(1, pattern[i].size() - 2)] = parts[i];
    else if (pattern[i] != parts[i])
      return false;
  }
  return true;
}

std::string etag_of(std::string_view body) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest);
  std::string tag = "\"";
  for (std::size_t i = 0; i < 12; ++i)
    tag += fmt::format("{:02x}", digest[i]);
  return tag + '"';
}

web_handler at_once(std::function<web_response(const web_request&)> handler) {
  return [handler = std::move(handler)](const web_request& request, const web_reply& reply) {
    reply(handler(request));
  };
}

} // namespace

void route_table::add(std::string method, std::string path, web_handler handler,
                      route_access access, std::chrono::milliseconds longest_answer) {
  auto parts = parts_of(path);
  routes_.push_back({std::move(method), std::move(path), access, std::move(handler), nullptr,
                     std::move(parts), longest_answer});
}

void route_table::get(std::string path, std::function<web_response(const web_request&)> handler,
                      route_access access) {
  add("GET", std::move(path), at_once(std::move(handler)), access);
}

void route_table::post(std::string path, std::function<web_response(const web_request&)> handler) {
  add("POST", std::move(path), at_once(std::move(handler)));
}

void route_table::events(std::string path, std::shared_ptr<event_feed> feed) {
  add("GET", std::move(path), {});
  routes_.back().feed = std::move(feed);
}

void route_table::text(std::string path, std::string type, std::string body) {
  web_response made;
  made.type = std::move(type);
  made.etag = etag_of(body);
  made.packed = gzip_text(body, gzip_effort::once);
  made.body = std::move(body);
  get(
    std::move(path), [made = std::move(made)](const web_request&) { return made; },
    route_access::everyone);
}

route_table::match route_table::find(std::string_view method, std::string_view path) const {
  match out;
  const auto parts = parts_of(path);
  for (const auto& known : routes_) {
    if (!fits(known.parts, parts, out.parts))
      continue;
    if (known.method == method) {
      out.found = &known;
      return out;
    }
    out.methods += (out.methods.empty() ? "" : ", ") + known.method;
    if (known.method == "GET")
      out.methods += ", HEAD";
  }
  out.parts.clear();
  return out;
}

} // namespace troupe
