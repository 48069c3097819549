#include "runtime/swarm/swarm_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// Writes a file for all processes, and returns its path. Another one may read it meanwhile.
std::string written(const std::string& name, const std::string& text) {
  const auto directory = fs::temp_directory_path() / "troupe-swarm-files";
  const auto file = directory / name;
  fs::create_directories(directory);
  std::ifstream in{file};
  if (std::string{std::istreambuf_iterator<char>{in}, {}} == text)
    return file.string();
  const auto fresh = directory / (name + ".fresh-" + std::to_string(::getpid()));
  std::ofstream{fresh} << text;
  fs::rename(fresh, file);
  return file.string();
}

/// Four users, each of whom submits a job when the one before has ended, and jobs in between.
std::string log_of_sessions() {
  constexpr int jobs = 60;
  std::string text = "; MaxProcs: 16\n";
  for (int j = 1; j <= jobs; ++j) {
    const auto user = j % 5;
    const auto before = user > 0 && j > 5 ? j - 5 : -1;
    const auto size = 1 + j * 7 % 11 % 4 * (j % 3);
    const auto runtime = 0.2 + j * 13 % 17 * 0.15;
    text += std::to_string(j) + ' ' + std::to_string(j * 0.12) + " -1 " + std::to_string(runtime) +
            ' ' + std::to_string(1 + size / 2) + " -1 -1 " + std::to_string(size) + ' ' +
            std::to_string(runtime * (1 + j % 3)) + " -1 1 " + std::to_string(user) + " 1 1 1 -1 " +
            std::to_string(before) + ' ' +
            (before > 0 ? std::to_string(j % 4 * 0.3) : std::string{"-1"}) + '\n';
  }
  return text;
}

std::string windows_named(std::string_view name) {
  if (name == "maintenance")
    return "start_s,end_s,partitions\n3,9,0\n20,21,0\n";
  if (name == "one-machine")
    return "start_s,end_s,machines\n0.5,6,0\n6,6.2,0\n";
  if (name == "many")
    return "start_s,end_s,count\n0,1,1\n1.5,2,1\n2,5,1\n5,8,1\n30,40,1\n";
  if (name == "reserved")
    return "start_s,end_s,machines,tenant\n1,7,0,x\n12,13,0,x\n";
  throw std::logic_error{"no windows " + std::string{name}};
}

} // namespace

std::string_view swarm_log() {
  static const auto path = written("sessions.swf", log_of_sessions());
  return path;
}

std::string_view swarm_windows(std::string_view name) {
  static std::map<std::string, std::string, std::less<>> known;
  static std::mutex mutex;
  const std::lock_guard lock{mutex};
  const auto at = known.find(name);
  if (at != known.end())
    return at->second;
  const std::string key{name};
  return known.emplace(key, written(key + ".csv", windows_named(name))).first->second;
}

} // namespace troupe
