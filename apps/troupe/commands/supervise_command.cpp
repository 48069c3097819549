#include "commands/supervise_command.hpp"

#include "process/supervisor/supervise_main.hpp"

#include <string_view>

namespace troupe {

bool is_supervise(int argc, char** argv) {
  return argc > 1 && std::string_view{argv[1]} == "supervise";
}

int supervise(int argc, char** argv) {
  return supervise_main({argv + 2, argv + argc});
}

} // namespace troupe
