#include "cluster/cluster_directory.hpp"

#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "nodes/connections/peer_check.hpp"
#include "report/json/parse_json.hpp"
#include "security/authority.hpp"
#include "security/error.hpp"
#include "security/files.hpp"
#include "security/tls_files.hpp"
#include "support/result_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

constexpr const char* contact_name = "cluster.json";
constexpr const char* lock_name = "lock";
/// Files that a node leaves in its directory.
constexpr const char* node_files[] = {"address", "address.new",        "log",
                                      "output",  "master-incarnation", "page"};

/// Returns a descriptor that holds the lock, or -1 if another process does.
int take_lock(const fs::path& file) {
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    throw usage_error{file.string() + ": cannot be written: " + std::strerror(errno)};
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  close(fd);
  return -1;
}

std::string process_in(const fs::path& lock) {
  std::ifstream in{lock};
  std::string pid;
  in >> pid;
  return pid.empty() ? "another process" : "process " + pid;
}

void clear_node(const fs::path& directory) {
  std::error_code ignored;
  for (const auto* name : node_files)
    fs::remove(directory / name, ignored);
  if (!fs::exists(directory / "cluster-places", ignored)) // else the cluster goes on
    fs::remove(directory / "workload-incarnation", ignored);
}

} // namespace

cluster_directory::cluster_directory(fs::path path) : path_(std::move(path)) {
  std::error_code failure;
  fs::create_directories(path_, failure);
  if (failure)
    throw usage_error{path_.string() + ": the directory cannot be created: " + failure.message()};
  lock_ = take_lock(path_ / lock_name);
  if (lock_ < 0)
    throw usage_error{path_.string() + ": a cluster is running there already (" +
                      process_in(path_ / lock_name) + "); expected another --dir"};
  const auto pid = std::to_string(getpid()) + '\n';
  if (ftruncate(lock_, 0) != 0 ||
      write(lock_, pid.data(), pid.size()) != static_cast<ssize_t>(pid.size()))
    throw usage_error{(path_ / lock_name).string() + ": cannot be written"};
  fs::remove(path_ / contact_name);
  for (const auto& entry : fs::directory_iterator{path_})
    if (entry.is_directory() && entry.path().filename().string().starts_with("node-"))
      clear_node(entry.path());
}

cluster_directory::~cluster_directory() {
  std::error_code ignored;
  fs::remove(path_ / contact_name, ignored);
  close(lock_);
}

void cluster_directory::announce(const cluster_contact& contact) const {
  const nlohmann::ordered_json all{{"host", contact.at.host},
                                   {"port", contact.at.port},
                                   {"certs", fs::absolute(contact.certs).string()},
                                   {"as", contact.as}};
  write_text(path_, contact_name, all.dump(2) + '\n');
}

cluster_contact find_cluster(const fs::path& directory) {
  const auto file = directory / contact_name;
  const bool there = std::ifstream{file}.is_open();
  if (there) {
    const int lock = take_lock(directory / lock_name);
    if (lock < 0) {
      const auto all = read_json(file);
      try {
        return {{all.at("host"), all.at("port")}, all.at("certs").get<std::string>(), all.at("as")};
      } catch (const nlohmann::json::exception&) {
        throw usage_error{file.string() +
                          ": is damaged; expected the file that 'troupe cluster up' writes"};
      }
    }
    close(lock);
  }
  throw usage_error{directory.string() + ": no cluster is running there; expected the --dir of a "
                                         "running 'troupe cluster up', or --at HOST:PORT"};
}

void provide_certificates(const fs::path& certs, const std::vector<certified_identity>& nodes) try {
  check_private_directory(certs);
  const auto now = std::chrono::system_clock::now();
  const auto usable = [&](const certified_identity& node) {
    const auto file = [&](const char* end) { return certs / (node.name + end); };
    try {
      const auto found = check_tls_files({file(".crt"), file(".key"), certs / "ca.crt"}, now);
      return why_not_certified(node.name, node.roles, found.certified).empty();
    } catch (const security_error&) {
      return false;
    }
  };
  std::vector<certified_identity> missing;
  std::ranges::remove_copy_if(nodes, std::back_inserter(missing), usable);
  if (missing.empty())
    return;
  const bool is_new = !fs::exists(certs / "ca.crt") && !fs::exists(certs / "ca.key");
  const auto signer = is_new ? authority::create(certs, now) : authority::load(certs);
  for (const auto& node : missing)
    signer.issue(node, authority::node_lifetime, now, existing::replace);
} catch (const security_error& e) {
  throw usage_error{std::string{"the certificates: "} + e.what()};
}

} // namespace troupe
