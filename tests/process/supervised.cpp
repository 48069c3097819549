#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sstream>

namespace troupe::test {

namespace {

using test_clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds{120}; // on a host that is very busy
constexpr int pause_ms = 5;

std::string text_in(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The state and the parent of a process, as of proc(5); a space if there is none.
std::pair<char, pid_t> look_at(pid_t pid) {
  const auto text = text_in("/proc/" + std::to_string(pid) + "/stat");
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos)
    return {' ', 0};
  std::istringstream rest{text.substr(name_ends + 1)};
  char state = ' ';
  pid_t parent = 0;
  rest >> state >> parent;
  return {state, parent};
}

} // namespace

bool eventually(const std::function<bool()>& holds) {
  for (const auto until = test_clock::now() + patience; test_clock::now() < until;
       poll(nullptr, 0, pause_ms))
    if (holds())
      return true;
  return holds();
}

bool is_alive(pid_t pid) {
  const auto state = look_at(pid).first;
  return state != ' ' && state != 'Z' && state != 'X';
}

std::int64_t cpu_time_of(pid_t pid) {
  clockid_t clock{};
  timespec used{};
  REQUIRE(clock_getcpuclockid(pid, &clock) == 0);
  REQUIRE(clock_gettime(clock, &used) == 0);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

supervised::supervised() {
  auto name = (std::filesystem::temp_directory_path() / "troupe-process-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  at_ = name;
  reconnect();
}

supervised::~supervised() {
  for (const auto& name : names_)
    try {
      auto page = folder(name).page();
      page.set_deadline(0);
      page.wake();
      CHECK(eventually([&] { return !page.is_held(); }));
    } catch (const std::exception& e) {
      FAIL_CHECK(e.what());
    }
  client_.reset();
  std::filesystem::remove_all(at_);
}

void supervised::reconnect(pid_t tied_to) {
  client_ = std::make_unique<supervisor_client>(
    std::vector<std::string>{TROUPE_BINARY_DIR "/tests/process/test_supervisors",
                             std::to_string(tied_to)},
    at_, at_ / "log");
}

command_spec supervised::shell(const std::string& script) {
  command_spec spec;
  spec.argv = {"sh", "-c", script};
  spec.env = {{"PATH", "/usr/bin:/bin"}};
  spec.grace_ms = 10'000;
  return spec;
}

std::int64_t supervised::in(double seconds) {
  return boot_clock_ns() + static_cast<std::int64_t>(seconds * 1e9);
}

attempt_page supervised::begin(const std::string& name, const command_spec& spec,
                               std::int64_t deadline) {
  auto page = folder(name).create(spec, deadline);
  names_.push_back(name);
  client_->start(name);
  return page;
}

void supervised::hear(int patience_ms) {
  pollfd on{client_->fd(), POLLIN, 0};
  poll(&on, 1, patience_ms);
  for (const auto& n : client_->take_notes())
    (n.ended ? ended_ : started_).insert(n.name);
}

void supervised::wait_for_start(const std::string& name) {
  for (const auto until = test_clock::now() + patience;
       test_clock::now() < until && !started_.contains(name) && !ended_.contains(name);)
    hear(100);
  REQUIRE((started_.contains(name) || ended_.contains(name)));
}

command_end supervised::end_of(const std::string& name) {
  for (const auto until = test_clock::now() + patience;
       test_clock::now() < until && !ended_.contains(name);)
    hear(100);
  const auto end = folder(name).page().end();
  REQUIRE(end.has_value());
  return *end;
}

command_end supervised::run(const std::string& name, const command_spec& spec) {
  begin(name, spec);
  return end_of(name);
}

std::string supervised::out(const std::string& name) const {
  return text_in(folder(name).out());
}

std::string supervised::err(const std::string& name) const {
  return text_in(folder(name).err());
}

pid_t supervised::parent_of(pid_t command) {
  const auto parent = look_at(command).second;
  REQUIRE(parent >
          1); // a signal to process 0 would reach the test and all that it was started with
  return parent;
}

} // namespace troupe::test
