#pragma once

#include <string_view>
#include <vector>

namespace troupe {

/// The main function of a process that starts supervisors for a node: `--end-with PID --folder DIR
/// --socket FD`; see `serve_supervisors`. Returns its exit code.
int supervise_main(const std::vector<std::string_view>& words);

} // namespace troupe
