#include "process/command/command_start.hpp"

#include "process/base/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe {

namespace {

/// The soft limit of open files that programs expect which use select(2).
constexpr rlim_t usual_open_files = 1024;

constexpr const char* enter_directory = "enter the directory";
constexpr const char* execute_program = "execute";

/// Everything that the child needs, made before it exists: between vfork and exec it may only call
/// the kernel.
struct child_plan {
  std::vector<std::string> paths; ///< of the program, in the order to try
  std::vector<std::string> env_texts;
  std::vector<char*> argv;
  std::vector<char*> env;
  const command_spec* spec = nullptr;
  command_place place;
  unique_fd nothing;
  unique_fd group; ///< cgroup.procs
  pid_t parent = 0;
  rlimit files{};
};

/// What the child tells before it ends without exec. It shares the memory of its parent.
struct child_failure {
  const char* step = nullptr;
  int error = 0;
};

std::vector<std::string> paths_of(const command_spec& spec) {
  const auto& program = spec.argv.front();
  if (program.find('/') != std::string::npos)
    return {program};
  const auto path = spec.env.find("PATH");
  const std::string all = path == spec.env.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
  std::vector<std::string> paths;
  for (std::size_t at = 0; at <= all.size();) {
    const auto end = std::min(all.find(':', at), all.size());
    if (end > at)
      paths.push_back(all.substr(at, end - at) + '/' + program);
    at = end + 1;
  }
  return paths;
}

void fill(child_plan& plan, const command_spec& spec) {
  plan.spec = &spec;
  plan.paths = paths_of(spec);
  for (const auto& [name, value] : spec.env)
    plan.env_texts.push_back(name + '=' + value);
  for (const auto& word : spec.argv)
    plan.argv.push_back(const_cast<char*>(word.c_str()));
  plan.argv.push_back(nullptr);
  for (auto& text : plan.env_texts)
    plan.env.push_back(text.data());
  plan.env.push_back(nullptr);
  plan.parent = getpid();
  getrlimit(RLIMIT_NOFILE, &plan.files);
  plan.files.rlim_cur = std::min(plan.files.rlim_max, usual_open_files);
}

/// Returns the name of the step that failed, or null. Only calls of the kernel.
const char* become_user(const command_user& user) {
  if (!user.is_set())
    return nullptr;
  if (syscall(SYS_setgroups, user.groups.size(), user.groups.data()) != 0)
    return "set the groups";
  if (syscall(SYS_setgid, user.gid) != 0)
    return "set the group";
  return syscall(SYS_setuid, user.uid) != 0 ? "set the user" : nullptr;
}

const char* prepare_child(const child_plan& plan) {
  if (setsid() < 0)
    return "begin a session";
  constexpr char self[] = "0";
  if (plan.group && write(plan.group.get(), self, 1) != 1)
    return "enter the control group";
  if (plan.spec->dir.empty() && chdir(plan.place.own_dir.c_str()) != 0)
    return enter_directory;
  if (const auto* step = become_user(plan.spec->user))
    return step;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent)
    return "find the supervisor";
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_NOFILE, &plan.files);
  umask(022);
  if (dup2(plan.nothing.get(), 0) < 0 || dup2(plan.place.out, 1) < 0 || dup2(plan.place.err, 2) < 0)
    return "set the standard streams";
  syscall(SYS_close_range, 3U, ~0U, 0U);
  if (!plan.spec->dir.empty() && chdir(plan.spec->dir.c_str()) != 0)
    return enter_directory;
  return nullptr;
}

void reset_signals() {
  for (int s = 1; s < NSIG; ++s)
    if (s != SIGKILL && s != SIGSTOP)
      signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// As execvp(3): a file that may not be executed is remembered, and the next one tried. A directory
/// that the user may not enter is as one that does not have the file.
int execute(const child_plan& plan) {
  int error = ENOENT;
  for (const auto& path : plan.paths) {
    execve(path.c_str(), plan.argv.data(), plan.env.data());
    const int why = errno;
    if (why != ENOENT && why != ENOTDIR && (why != EACCES || access(path.c_str(), F_OK) == 0))
      error = why;
    if (why == ENOEXEC || why == E2BIG || why == ENOMEM)
      break;
  }
  return error;
}

/// Returns whether the host lacks something, and not the command.
bool is_of_host(const child_failure& failed, const command_spec& spec) {
  switch (failed.error) {
  case EAGAIN:
  case ENOMEM:
  case ENFILE:
  case EMFILE:
  case ENOSPC:
  case EIO:
    return true;
  default:
    return std::strcmp(failed.step, execute_program) != 0 &&
           (std::strcmp(failed.step, enter_directory) != 0 || spec.dir.empty());
  }
}

} // namespace

started_command start_command(const command_spec& spec, const command_place& place) {
  child_plan plan;
  fill(plan, spec);
  plan.place = place;
  plan.nothing.reset(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!spec.control_group.empty()) {
    plan.group.reset(open((spec.control_group + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!plan.group)
      return {-1,
              "cannot open the control group " + spec.control_group + ": " + std::strerror(errno),
              true};
  }
  volatile child_failure failed;
  failed.step = nullptr;
  failed.error = 0;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const auto pid = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (pid == 0) {
    const auto* step = prepare_child(plan);
    if (step != nullptr) {
      failed.step = step;
      failed.error = errno;
      _exit(127);
    }
    reset_signals();
    failed.error = execute(plan);
    failed.step = execute_program;
    _exit(127);
  }
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0)
    return {-1, std::string{"cannot make a process: "} + std::strerror(error), true};
  const child_failure why{failed.step, failed.error};
  if (why.step == nullptr)
    return {pid, {}};
  // Until it is waited for, its control group cannot be removed.
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  auto what = std::string{"cannot "} + why.step;
  if (std::strcmp(why.step, execute_program) == 0)
    what += ' ' + spec.argv.front();
  else if (std::strcmp(why.step, enter_directory) == 0)
    what += ' ' + (spec.dir.empty() ? place.own_dir : spec.dir);
  return {-1, what + ": " + std::strerror(why.error), is_of_host(why, spec)};
}

} // namespace troupe
