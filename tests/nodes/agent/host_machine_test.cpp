#include "cli/process.hpp"
#include "nodes/agent/host_machine.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

/// A host of 8 cores and 4 GiB, as its files say.
struct small_host : scratch {
  small_host() {
    put("proc/meminfo", "MemTotal:        4194304 kB\nMemFree:          100000 kB\n");
    put("etc/os-release", "PRETTY_NAME=\"Some Linux\"\nID=some\nVERSION_ID=\"12\"\n");
  }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((path() / name).parent_path());
    write(name, text);
  }
};

} // namespace

TEST_CASE_FIXTURE(small_host, "a host is a machine of what it has") {
  const auto host = describe_host(path(), 8);
  CHECK(host.capacity[resource::cpu] == 8000);
  CHECK(host.capacity[resource::memory] == 4096);
  CHECK(host.capacity[resource::gpu] == 0);
  CHECK(host.capacity[resource::slots] == 8);
  CHECK(host.attributes.at("os") == "some-12");
  CHECK_FALSE(host.attributes.at("arch").empty());
}

TEST_CASE_FIXTURE(small_host, "the limits of its control group, and of those around it, bind") {
  put("proc/self/cgroup", "1:name=old:/else\n0::/outer/inner\n");
  put("sys/fs/cgroup/outer/memory.max", "1073741824\n");
  put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  put("sys/fs/cgroup/outer/inner/cpu.max", "150000 100000\n");
  put("sys/fs/cgroup/outer/cpu.max", "max 100000\n");
  const auto host = describe_host(path(), 8);
  CHECK(host.capacity[resource::memory] == 1024);
  CHECK(host.capacity[resource::cpu] == 1500);
  CHECK(host.capacity[resource::slots] == 1);
}

TEST_CASE_FIXTURE(small_host, "cards are counted, and nothing else of the driver") {
  for (const auto* name : {"dev/nvidia0", "dev/nvidia13", "dev/nvidiactl", "dev/nvidia-uvm"})
    put(name, "");
  CHECK(describe_host(path(), 8).capacity[resource::gpu] == 2000);
}

TEST_CASE("a host of unknown memory is refused") {
  const scratch empty;
  CHECK_THROWS_WITH_AS(describe_host(empty.path()), doctest::Contains("--memory GIB"),
                       std::runtime_error);
}

TEST_CASE("this host has something to offer") {
  const auto host = describe_host();
  CHECK(host.capacity[resource::cpu] > 0);
  CHECK(host.capacity[resource::memory] > 0);
}
