#include "cluster/page_place.hpp"

#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "nodes/agent/run_node.hpp"
#include "security/error.hpp"
#include "security/files.hpp"
#include "web/token.hpp"

#include <fstream>

namespace troupe {

namespace {

constexpr const char* page_address_file = "page";

} // namespace

web_options page_server(const page_place& place, const page_option_names& names,
                        const client_files& files) {
  web_options made;
  read_address(default_serve_address, made);
  const auto wrong = read_address(place.on, made);
  if (!wrong.empty())
    throw usage_error{names.command + names.on + ' ' + place.on + ": " + wrong};
  if (place.tls) {
    if (files.directory.empty())
      throw usage_error{names.command + names.tls +
                        ": there are no certificates; expected --certs, a directory "
                        "with ca.crt, NAME.crt, NAME.key"};
    made.tls = credentials_of(files.directory.string(), files.name);
    try {
      made.token = token_in(files.directory / (files.name + ".token"));
    } catch (const security_error& e) {
      throw usage_error{names.command + names.tls + ": " + e.what()};
    }
  } else if (!is_loopback(made.host) && made.host != "[::1]") {
    throw usage_error{names.command + names.on + ' ' + place.on +
                      ": not a loopback address; expected one such as " + default_serve_address +
                      ", or " + names.tls};
  }
  return made;
}

void need_token(web_options& server, const std::filesystem::path& file) try {
  if (!server.token.empty())
    return;
  std::filesystem::create_directories(file.parent_path());
  server.token = token_in(file);
} catch (const std::exception& e) {
  throw usage_error{"the token of the API: " + std::string{e.what()}};
}

void write_page_address(const std::filesystem::path& state, const std::string& url) {
  constexpr mode_t owner_only = 0600;
  write_small_file(state / page_address_file, url + '\n', owner_only, existing::replace);
}

std::string read_page_address(const std::filesystem::path& state) {
  std::ifstream in{state / page_address_file};
  std::string url;
  std::getline(in, url);
  return url;
}

} // namespace troupe
