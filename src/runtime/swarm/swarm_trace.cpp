#include "runtime/swarm/swarm_trace.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// What a machine has from some time on, in milliseconds of the run.
struct row {
  int at;
  int machine;
  int cores; ///< 0: it leaves
};

// The machines have 3 cores until the first row.
constexpr row trace_changes[] = {
  {100, 0, 0},   {150, 1, 2},   {200, 0, 3},   {300, 2, 0},    {300, 3, 0},   {300, 4, 1},
  {450, 2, 1},   {500, 1, 1},   {600, 3, 3},   {600, 2, 3},    {700, 4, 3},   {750, 1, 3},
  {900, 5, 0},   {905, 5, 3},   {1500, 6, 1},  {1500, 7, 1},   {1500, 8, 1},  {2000, 9, 0},
  {2500, 6, 0},  {3000, 10, 2}, {3000, 11, 0}, {3500, 7, 2},   {4000, 9, 2},  {4000, 0, 0},
  {4000, 1, 0},  {4000, 2, 0},  {4000, 3, 0},  {4700, 8, 3},   {5000, 6, 2},  {5500, 0, 3},
  {5500, 1, 1},  {6000, 2, 2},  {6200, 4, 0},  {6300, 4, 1},   {6400, 4, 0},  {6500, 4, 3},
  {7000, 11, 1}, {7300, 3, 3},  {7700, 10, 3}, {8000, 7, 3},   {8200, 5, 1},  {8900, 6, 3},
  {9100, 5, 2},  {9500, 9, 3},  {10000, 2, 3}, {10500, 11, 3}, {11000, 0, 0}, {11000, 1, 3},
  {12000, 5, 3}, {13000, 0, 3},
};

/// Returns the table, in the format of Google's trace of 2011, in which a run begins at 600 s.
std::string trace_table() {
  constexpr int add = 0;
  constexpr int remove = 1;
  constexpr int update = 2;
  int has[12];
  std::string text;
  const auto put = [&](const std::string& at, int machine, int event, int cores) {
    const auto amount = "0.00" + std::to_string(cores == 0 ? 3 : cores);
    text += at + ',' + std::to_string(machine) + ',' + std::to_string(event) + ",p," + amount +
            ',' + amount + '\n';
  };
  for (int m = 0; m < 12; ++m) {
    has[m] = 3;
    put("0", m, add, 3);
  }
  for (const auto& [at, machine, cores] : trace_changes) {
    const auto event = cores == 0 ? remove : has[machine] == 0 ? add : update;
    put(std::to_string(600'000 + at) + "000", machine, event, cores);
    has[machine] = cores;
  }
  return text;
}

std::string write() {
  const auto directory = fs::temp_directory_path() / "troupe-swarm-trace";
  const auto file = directory / "machine_events.csv";
  const auto text = trace_table();
  fs::create_directories(directory);
  std::ifstream in{file};
  if (std::string{std::istreambuf_iterator<char>{in}, {}} == text)
    return directory.string();
  const auto fresh = directory / ("fresh-" + std::to_string(::getpid()));
  std::ofstream{fresh} << text;
  fs::rename(fresh, file); // another process may read it
  return directory.string();
}

} // namespace

std::string_view swarm_trace() {
  static const std::string directory = write();
  return directory;
}

} // namespace troupe
