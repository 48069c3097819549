#include "nodes/tls_lines.hpp"

#include "nodes/frame_budget.hpp"
#include "nodes/frame_guard.hpp"
#include "nodes/post.hpp"
#include "nodes/refusal_log.hpp"
#include "nodes/socket_address.hpp"

#include <spdlog/spdlog.h>

#include <dlfcn.h>
#include <list>
#include <memory>
#include <mutex>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <set>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace troupe {

namespace {

using steady = std::chrono::steady_clock;

/// A box may grow beyond its limit by one message before it is emptied.
constexpr std::uint32_t longest_message = 2 * post::box_limit;

/// What all connections together may announce: two of the longest messages.
constexpr std::uint64_t most_announced = 2 * std::uint64_t{longest_message};

/// So many lines may wait for a word at a time: each costs some 70 kB and a file descriptor.
constexpr std::size_t most_awaited = 64;

/// What is known of a line beside what OpenSSL knows.
struct tls_line {
  int socket = -1;
  std::string peer = "a peer";
  steady::time_point since = steady::now();
  frame_guard frames{longest_message};
  std::uint64_t held = 0; ///< of the budget
  bool waits = false;     ///< it is among those that have said nothing yet
  bool refused = false;   ///< the log says why
};

std::mutex mutex; // guards what follows
std::string node_name;
std::list<tls_line*> awaited; // in the order in which they came
std::set<tls_line*> silenced; // their sockets are shut down
frame_budget announced{most_announced};

template <class... Parts>
void log(spdlog::level::level_enum level, const char* kind, spdlog::format_string_t<Parts...> text,
         Parts&&... parts) {
  const std::lock_guard lock{mutex};
  log_refusal(level, kind, node_name, fmt::format(text, std::forward<Parts>(parts)...));
}

/// To be called with the mutex held.
void wait_no_more(tls_line& line) {
  line.waits = false;
  awaited.remove(&line);
  silenced.erase(&line);
}

void forget(tls_line& line) {
  const std::lock_guard lock{mutex};
  wait_no_more(line);
  announced.give_back(line.held);
}

/// To be called with the mutex held.
void silence_first(const std::string& why) {
  auto* line = awaited.front();
  awaited.pop_front();
  log_refusal(spdlog::level::warn, "silent connections", node_name,
              line->peer + " connected but did not identify itself " + why + ": connection closed");
  shutdown(line->socket, SHUT_RDWR);
  silenced.insert(line);
}

void await(tls_line& line) {
  const std::lock_guard lock{mutex};
  if (awaited.size() >= most_awaited)
    silence_first("while " + std::to_string(most_awaited) + " others wait");
  line.waits = true;
  awaited.push_back(&line);
}

bool is_silenced(tls_line& line) {
  const std::lock_guard lock{mutex};
  return silenced.contains(&line);
}

/// OpenSSL is done with a line; its socket is still open.
void end(void*, void* data, CRYPTO_EX_DATA*, int, long, void*) {
  const std::unique_ptr<tls_line> line{static_cast<tls_line*>(data)};
  if (line)
    forget(*line);
}

tls_line& line_of(SSL* ssl) {
  static const int place = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, &end);
  auto* line = static_cast<tls_line*>(SSL_get_ex_data(ssl, place));
  if (line == nullptr) {
    line = new tls_line;
    line->socket = SSL_get_fd(ssl);
    line->peer = peer_address(line->socket);
    SSL_set_ex_data(ssl, place, line);
  }
  return *line;
}

/// Returns the first error in this thread's queue, and empties that.
unsigned long take_error() {
  const auto first = ERR_get_error();
  ERR_clear_error();
  return first;
}

std::string text_of(unsigned long error) {
  const char* reason = ERR_reason_error_string(error);
  return reason != nullptr ? reason : "error " + std::to_string(error);
}

/// Says so if a line has ended badly.
void note_end(SSL* ssl, tls_line& line, int error, unsigned long why) {
  if (std::exchange(line.refused, true) || is_silenced(line))
    return;
  // A process that dies says no goodbye; that its line is down is said elsewhere.
  if (error == SSL_ERROR_SSL && ERR_GET_REASON(why) != SSL_R_UNEXPECTED_EOF_WHILE_READING)
    log(spdlog::level::warn, "connections that TLS refuses", "TLS with {} fails: {}", line.peer,
        text_of(why));
  else if (SSL_is_server(ssl) && SSL_get0_peer_certificate(ssl) == nullptr &&
           SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE)
    log(spdlog::level::info, "connections without a certificate",
        "{} disconnected without sending a certificate", line.peer);
}

int note_state(SSL* ssl, int error, unsigned long why) {
  auto& line = line_of(ssl);
  if (line.refused)
    return SSL_ERROR_SSL;
  if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL || error == SSL_ERROR_ZERO_RETURN)
    note_end(ssl, line, error, why);
  else if (!line.waits && SSL_is_server(ssl) && !line.frames.any())
    await(line);
  return error;
}

/// Looks at what has come; returns whether CAF may have it.
bool admits(SSL* ssl, std::string_view bytes) {
  auto& line = line_of(ssl);
  const auto before = line.frames.longest();
  const auto too_long = line.frames.feed(bytes);
  const auto longest = line.frames.longest();
  bool has_room = true;
  if ((line.waits && line.frames.any()) || longest > before) {
    const std::lock_guard lock{mutex};
    if (line.frames.any())
      wait_no_more(line);
    has_room = too_long || announced.take(line.held, longest);
  }
  if (!too_long && has_room)
    return true;
  if (std::exchange(line.refused, true))
    return false;
  if (too_long)
    log(spdlog::level::warn, "messages that are too long",
        "{} announces a message of {} bytes; the limit is {}: connection closed", line.peer,
        *too_long, longest_message);
  else
    log(
      spdlog::level::warn, "messages without room",
      "{} announces a message of {} bytes; all connections together would exceed the limit of {}: "
      "connection closed",
      line.peer, longest, most_announced);
  return false;
}

template <class Function>
Function next_named(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

void watch_tls_lines(const std::string& node) {
  const std::lock_guard lock{mutex};
  node_name = node;
}

void close_silent_lines(std::chrono::milliseconds patience) {
  const std::lock_guard lock{mutex};
  const auto now = steady::now();
  while (!awaited.empty() && now - awaited.front()->since >= patience)
    silence_first("for " + std::to_string(patience.count() / 1000) + " s");
}

} // namespace troupe

/// Stands before OpenSSL's own function of that name, for CAF calls it after whatever has failed.
extern "C" int SSL_get_error(const SSL* line, int result) {
  static const auto real = troupe::next_named<int (*)(const SSL*, int)>("SSL_get_error");
  const int error = real(line, result);
  const auto why = troupe::take_error();
  return troupe::note_state(const_cast<SSL*>(line), error, why);
}

/// Likewise, for CAF calls it first of all: the other side may leave soon.
extern "C" int SSL_set_fd(SSL* line, int socket) {
  static const auto real = troupe::next_named<int (*)(SSL*, int)>("SSL_set_fd");
  const int result = real(line, socket);
  troupe::line_of(line);
  return result;
}

/// Likewise, for CAF reads everything with it.
extern "C" int SSL_read(SSL* line, void* bytes, int most) {
  static const auto real = troupe::next_named<int (*)(SSL*, void*, int)>("SSL_read");
  const int n = real(line, bytes, most);
  if (n > 0 &&
      !troupe::admits(line, {static_cast<const char*>(bytes), static_cast<std::size_t>(n)}))
    return -1;
  return n;
}
