#include "commands/supervise_command.hpp"

#include "commands/commands.hpp"
#include "process/supervisor/supervisor_server.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <sys/socket.h>

namespace troupe {

namespace {

bool is_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

} // namespace

bool is_supervise(int argc, char** argv) {
  return argc > 1 && std::string_view{argv[1]} == "supervise";
}

int supervise(int argc, char** argv) try {
  const auto is = [&](int i, std::string_view word) { return word == argv[i]; };
  if (argc != 8 || !is(2, "--end-with") || !is(4, "--folder") || !is(6, "--socket") ||
      !is_socket(std::atoi(argv[7]))) {
    std::fputs("troupe: supervise is used by 'troupe node' only\n", stderr);
    return exit_code::usage;
  }
  std::filesystem::current_path(argv[5]);
  serve_supervisors(std::atoi(argv[7]), std::atoi(argv[3]));
  return exit_code::done;
} catch (const std::exception& e) {
  std::fprintf(stderr, "troupe: supervise: %s\n", e.what());
  return exit_code::failed;
}

} // namespace troupe
