#pragma once

#include "cluster/cluster_access.hpp"
#include "support/live_run.hpp"
#include "web/server.hpp"

#include <filesystem>
#include <string>

namespace troupe {

/// Where the page of a cluster is served, as the command line says it.
struct page_place {
  std::string on = default_serve_address; ///< "HOST:PORT"
  bool tls = false;
};

/// How messages name the command and its options, such as "serve: ", "--on" and "--tls".
struct page_option_names {
  std::string command;
  std::string on;
  std::string tls;
};

/// Returns the options of the server there. With TLS it uses the certificate in `files`, and the
/// token beside it, which is made if there is none. Throws `usage_error` if the address is
/// malformed, is not one of loopback though there is no TLS, or if the files cannot be used.
web_options page_server(const page_place& place, const page_option_names& names,
                        const client_files& files);

/// Demands a token of all clients of a server, on loopback, too, unless it does already: that in
/// `file`, which is made if there is none. Throws `usage_error`.
void need_token(web_options& server, const std::filesystem::path& file);

/// Writes the address of the page that a node serves to the file `page` in the directory of its
/// state, for its owner only: it may have a token.
void write_page_address(const std::filesystem::path& state, const std::string& url);

/// Reads it; empty: there is none.
std::string read_page_address(const std::filesystem::path& state);

} // namespace troupe
