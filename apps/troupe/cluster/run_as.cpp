#include "cluster/run_as.hpp"

#include "commands/commands.hpp"
#include "report/text/printable.hpp"

#include <array>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace troupe {

namespace {

constexpr int most_groups = 1024;

} // namespace

command_user user_of_commands(const std::string& name) {
  if (name.empty() && geteuid() != 0)
    return {};
  const std::string wanted = name.empty() ? unprivileged_user : name;
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> buffer{};
  if (getpwnam_r(wanted.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr)
    throw usage_error{"--run-as " + printable(wanted) + ": there is no such user"};
  if (entry.pw_uid == geteuid())
    return {};
  if (geteuid() != 0)
    throw usage_error{"--run-as " + printable(wanted) +
                      ": only root may run commands as another user; expected none"};
  command_user user{wanted, entry.pw_uid, entry.pw_gid};
  user.groups.resize(most_groups);
  int count = most_groups;
  if (getgrouplist(wanted.c_str(), entry.pw_gid, user.groups.data(), &count) < 0)
    throw usage_error{"--run-as " + printable(wanted) + ": it has too many groups"};
  user.groups.resize(static_cast<std::size_t>(count));
  return user;
}

} // namespace troupe
