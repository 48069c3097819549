#include "process/supervisor/supervisor_client.hpp"

#include "process/base/spawn.hpp"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>

namespace troupe {

namespace {

constexpr int passed_as = 3;
constexpr std::size_t longest_note = 256;
constexpr int patience_ms = 5'000;

} // namespace

supervisor_client::supervisor_client(std::vector<std::string> words, std::filesystem::path folder,
                                     std::filesystem::path log)
  : words_(std::move(words)), folder_(std::move(folder)), log_(std::move(log)) {}

supervisor_client::~supervisor_client() {
  socket_.reset();
  wait_for_server();
}

void supervisor_client::wait_for_server() {
  while (pid_ > 0 && waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool supervisor_client::has_ended() {
  if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) != 0)
    pid_ = -1;
  return pid_ < 0;
}

void supervisor_client::ensure_server() {
  if (!has_ended())
    return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "no socket for supervisors");
  socket_.reset(ends[0]);
  const unique_fd theirs{ends[1]};
  spawn_plan plan;
  plan.program = words_.front();
  plan.arguments.assign(words_.begin() + 1, words_.end());
  plan.arguments.insert(plan.arguments.end(),
                        {"--folder", folder_.string(), "--socket", std::to_string(passed_as)});
  plan.err.file = log_;
  plan.err.append = true;
  plan.passed.emplace_back(theirs.get(), passed_as);
  plan.own_session = true;
  pid_ = spawn(plan);
}

void supervisor_client::start(const std::string& name) {
  ensure_server();
  while (send(socket_.get(), name.data(), name.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    if (errno == EINTR)
      continue;
    pollfd on{socket_.get(), POLLOUT, 0};
    if (errno != EAGAIN || poll(&on, 1, patience_ms) == 0)
      throw std::system_error(errno, std::generic_category(), "cannot ask for a supervisor");
  }
}

std::vector<supervisor_client::note> supervisor_client::take_notes() {
  std::vector<note> notes;
  std::array<char, longest_note> text{};
  while (socket_) {
    const auto n = recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
      continue;
    if (n == 0) { // the server has ended, and all supervisors that it had started
      socket_.reset();
      wait_for_server();
      break;
    }
    if (n <= 2)
      break;
    notes.push_back({{text.data() + 2, static_cast<std::size_t>(n - 2)}, text[0] == 'e'});
  }
  return notes;
}

} // namespace troupe
