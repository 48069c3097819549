#include "process/supervisor/supervise_main.hpp"

#include "process/supervisor/supervisor_server.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <sys/socket.h>

namespace troupe {

namespace {

constexpr int code_failed = 1;
constexpr int code_usage = 2;

bool is_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

int number(std::string_view word) {
  return std::atoi(std::string{word}.c_str());
}

} // namespace

int supervise_main(const std::vector<std::string_view>& words) try {
  if (words.size() != 6 || words[0] != "--end-with" || words[2] != "--folder" ||
      words[4] != "--socket" || !is_socket(number(words[5]))) {
    std::fputs("troupe: supervise is used by 'troupe node' only\n", stderr);
    return code_usage;
  }
  std::filesystem::current_path(words[3]);
  serve_supervisors(number(words[5]), number(words[1]));
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "troupe: supervise: %s\n", e.what());
  return code_failed;
}

} // namespace troupe
