#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "security/authority.hpp"
#include "security/certified_identity.hpp"
#include "security/error.hpp"
#include "support/json_output.hpp"
#include "support/option_hints.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr const char* certs_examples = R"(Examples:
  troupe certs init
  troupe certs issue node-1 --roles master,workload,owner,scheduler
  troupe certs issue node-2 --roles machine --dir secrets/certs --days 30
  troupe certs issue node-2 --roles machine --force
  troupe certs issue laptop
  troupe certs show
  troupe certs show node-1.crt other/ca.crt)";

struct certs_options {
  std::string directory = "certs";
  std::string node;
  std::string roles;
  std::int64_t days = authority::node_lifetime.count();
  bool force = false;
  std::vector<std::string> shown;
  bool as_json = false;
};

wall_time now() {
  return std::chrono::system_clock::now();
}

std::string state_of(const certificate_details& c) {
  const auto time = now();
  return time < c.valid_from ? "not yet valid" : time >= c.valid_until ? "expired" : "valid";
}

json certificate_json(const fs::path& path, const certificate_details& c) {
  json out{{"file", path.string()},
           {"name", c.name},
           {"authority", c.authority},
           {"issuer", c.issuer},
           {"roles", nullptr},
           {"valid_from", date_text(c.valid_from)},
           {"valid_until", date_text(c.valid_until)},
           {"state", state_of(c)},
           {"sha256", c.fingerprint}};
  if (c.certified)
    out["roles"] = c.certified->roles;
  return out;
}

/// Prints a certificate that was made, with the file of its key.
int print_made(const fs::path& certificate, const fs::path& key) {
  print_json(
    {{"certificate", certificate_json(certificate, describe_certificates(certificate).front())},
     {"key_file", key.string()}});
  return exit_code::done;
}

int init(const certs_options& options) {
  const auto made = authority::create(options.directory, now());
  const auto [certificate, key] = made.files();
  if (options.as_json)
    return print_made(certificate, key);
  std::cout << certificate.string() << "  '" << made.name() << "', valid until "
            << date_text(made.valid_until()) << '\n'
            << key.string()
            << "  its key: anyone who has it can join the cluster; no node needs it\n\nNext, for "
               "each node:\n\n  troupe certs issue NODE --dir "
            << options.directory << '\n';
  return exit_code::done;
}

int issue(const certs_options& options) {
  const auto roles = options.roles.empty() ? std::set<std::string>{} : read_roles(options.roles);
  const auto signer = authority::load(options.directory);
  const auto made = signer.issue({options.node, roles}, std::chrono::days{options.days}, now(),
                                 options.force ? existing::replace : existing::keep);
  if (options.as_json)
    return print_made(made.certificate, made.key);
  std::cout << made.certificate.string() << "  '" << options.node << "', valid until "
            << date_text(describe_certificates(made.certificate).front().valid_until) << '\n'
            << made.key.string() << "  its key\n\nThe " << (roles.empty() ? "client" : "node")
            << " needs these two and " << signer.files().certificate.string() << ". "
            << (roles.empty() ? "It may observe the cluster and drain nodes. A node needs --roles."
                              : "It may have the roles " + roles_text(roles) + '.')
            << '\n';
  return exit_code::done;
}

std::string validity_text(const certificate_details& c) {
  const auto time = now();
  if (time < c.valid_from)
    return "from " + date_text(c.valid_from) + " until " + date_text(c.valid_until) +
           " (not yet valid)";
  if (time >= c.valid_until)
    return "until " + date_text(c.valid_until) + " (expired)";
  const auto left = std::chrono::floor<std::chrono::days>(c.valid_until - time).count();
  return "until " + date_text(c.valid_until) + " (" + std::to_string(left) +
         (left == 1 ? " day left)" : " days left)");
}

std::string roles_line(const certificate_details& c) {
  if (c.authority)
    return "";
  return "\n  roles   " + (!c.certified                 ? "unknown: the certificate names no node"
                           : c.certified->roles.empty() ? "none: a client"
                                                        : roles_text(c.certified->roles));
}

/// Breaks a fingerprint into two lines where one is too long for the terminal.
std::string fingerprint_lines(const std::string& all) {
  constexpr std::size_t indent = 10;
  if (indent + all.size() <= terminal_width())
    return all;
  const auto half = all.rfind(':', all.size() / 2) + 1;
  return all.substr(0, half) + '\n' + std::string(indent, ' ') + all.substr(half);
}

void print_certificate(const fs::path& path, const certificate_details& c) {
  std::cout << path.string() << "\n  name    " << c.name << (c.authority ? " (authority)" : "")
            << "\n  issuer  " << c.issuer << roles_line(c) << "\n  valid   " << validity_text(c)
            << "\n  SHA-256 " << fingerprint_lines(c.fingerprint) << '\n';
}

std::vector<fs::path> certificates_in(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{directory})
    if (entry.path().extension() == ".crt")
      found.push_back(entry.path());
  std::ranges::sort(found);
  if (found.empty())
    throw security_error{directory.string() +
                         ": contains no file NAME.crt; expected a directory with certificates"};
  return found;
}

int show(const certs_options& options) {
  std::vector<fs::path> paths;
  for (const auto& name : options.shown)
    if (std::error_code ignored; fs::is_directory(name, ignored))
      std::ranges::copy(certificates_in(name), std::back_inserter(paths));
    else
      paths.emplace_back(name);
  auto all = json::array();
  for (const auto& path : paths)
    for (const auto& c : describe_certificates(path))
      if (options.as_json)
        all.push_back(certificate_json(path, c));
      else
        print_certificate(path, c);
  if (options.as_json)
    print_json({{"certificates", std::move(all)}});
  return exit_code::done;
}

/// Files that the user named cannot be used: the command line is wrong.
int run_with_usage_errors(const char* command, const certs_options& options,
                          int (*run)(const certs_options&)) {
  try {
    return run(options);
  } catch (const security_error& e) {
    throw usage_error{std::string{"certs "} + command + ": " + e.what()};
  }
}

void add_directory_option(CLI::App& command, certs_options& options) {
  command.add_option("--dir", options.directory, "Directory of the authority; default: certs")
    ->type_name("DIR");
}

} // namespace

void add_certs_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("certs", "Create the certificates of a cluster's nodes");
  command->footer(certs_examples);
  command->require_subcommand(1);
  auto options = std::make_shared<certs_options>();
  const auto add = [&](const char* name, const char* what, int (*run)(const certs_options&)) {
    auto* sub = command->add_subcommand(name, what);
    add_json_option(*sub, options->as_json);
    sub->callback([&chosen, options, name, run] {
      chosen = [options, name, run] { return run_with_usage_errors(name, *options, run); };
    });
    return sub;
  };
  auto* initial = add("init", "Create a private authority: ca.crt and ca.key", init);
  add_directory_option(*initial, *options);
  auto* issuing = add("issue", "Create the certificate and the key of a node or client", issue);
  issuing->add_option("NODE", options->node, "Name of the node or client")
    ->required()
    ->type_name("");
  suggest_list(
    issuing
      ->add_option("--roles", options->roles,
                   "Of master, owner, scheduler, machine, workload, api; default: a client")
      ->type_name("ROLES"),
    {role_names.begin(), role_names.end()});
  add_directory_option(*issuing, *options);
  issuing->add_option("--days", options->days, "Days until it expires; default: 365")
    ->check(CLI::Range(std::int64_t{1}, std::int64_t{authority::lifetime.count()}))
    ->type_name("N");
  issuing->add_flag("--force", options->force, "Replace the node's files");
  auto* showing =
    add("show", "Print subject, issuer, validity and fingerprint of certificates", show);
  options->shown = {"certs"};
  showing
    ->add_option("FILES", options->shown, "Certificates, or directories of them; default: certs")
    ->type_name("");
}

} // namespace troupe
