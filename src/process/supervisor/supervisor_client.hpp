#pragma once

#include "process/base/unique_fd.hpp"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// A node's way to the process that starts supervisors (`serve_supervisors`), which it starts when
/// it needs it and again if it is gone. Not for several threads at once.
class supervisor_client {
public:
  /// What a supervisor tells.
  struct note {
    std::string name; ///< of the attempt's folder
    bool ended = false;
  };

  /// `words` start the server: this program's path first. `folder` has the folders of the
  /// attempts; messages of the server go to `log`.
  supervisor_client(std::vector<std::string> words, std::filesystem::path folder,
                    std::filesystem::path log);
  supervisor_client(const supervisor_client&) = delete;
  supervisor_client& operator=(const supervisor_client&) = delete;

  /// Ends the server, but no supervisor.
  ~supervisor_client();

  /// Has a supervisor started for an attempt's folder. Throws `std::system_error` if that cannot
  /// be asked for; a server that does not read in time is such a case.
  void start(const std::string& name);

  /// Becomes readable when there are notes; -1 while no server and no supervisor of
  /// it is there.
  int fd() const { return socket_.get(); }

  /// The notes that have come since the last call; notes may be lost. If the server has ended,
  /// with all supervisors, `fd` is -1 from then on.
  std::vector<note> take_notes();

private:
  void ensure_server();
  bool has_ended();
  void wait_for_server();

  std::vector<std::string> words_;
  std::filesystem::path folder_;
  std::filesystem::path log_;
  unique_fd socket_;
  pid_t pid_ = -1;
};

} // namespace troupe
