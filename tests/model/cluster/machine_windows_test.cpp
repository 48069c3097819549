#include "model/cluster/machine_windows.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("machines with the same windows are of one class") {
  const machine_windows windows{
    {{10s, 20s, {}, {1, 3}}, {30s, 40s, 5, {3, 2}}, {15s, 16s, {}, {4}}, {50s, 60s, {}, {4}}},
    6,
    nullptr};
  CHECK(windows.classes() == 5);
  CHECK(windows.class_of(0) == 0);
  CHECK(windows.class_of(5) == 0);
  CHECK(windows.class_of(1) == 1);
  CHECK(windows.class_of(2) == 2);
  CHECK(windows.class_of(3) == 3);
  CHECK(windows.class_of(4) == 4);
}

TEST_CASE("a machine is open until its next window that excludes the tenant") {
  const machine_windows windows{{{30s, 40s, 5, {0}}, {10s, 20s, {}, {0}}}, 2, nullptr};
  const auto c = windows.class_of(0);
  CHECK(windows.open_until(c, 0s, 0) == 10s);
  CHECK(windows.open_until(c, 10s, 0) == 10s);
  CHECK(windows.open_until(c, 19s, 5) == 19s);
  CHECK(windows.open_until(c, 20s, 0) == 30s);
  CHECK(windows.open_until(c, 20s, 5) == instant::max());
  CHECK(windows.open_until(c, 35s, 0) == 35s);
  CHECK(windows.open_until(c, 40s, 0) == instant::max());
  CHECK(windows.open_until(0, 15s, 0) == instant::max());
  CHECK(windows.admits(c, 0s, 10s, 0));
  CHECK_FALSE(windows.admits(c, 0s, 10s + 1ns, 0));
  CHECK_FALSE(windows.admits(c, 12s, 12s, 0));
  CHECK(windows.admits(c, 25s, 500s, 5));
  CHECK_FALSE(windows.admits(c, 25s, instant::max(), 0));
}

TEST_CASE("ends of windows are in order, in the time of the members") {
  const auto begin = std::make_shared<run_begin>();
  const machine_windows windows{{{5s, 9s, {}, {0}}, {1s, 3s, {}, {0}}}, 1, begin};
  CHECK(windows.next_end(0s) == instant::max()); // the beginning is not known
  CHECK(windows.admits(1, 0s, 100s, 0));
  begin->set(100s);
  CHECK(windows.next_end(0s) == 103s);
  CHECK(windows.next_end(103s) == 109s);
  CHECK(windows.next_end(109s) == instant::max());
  CHECK(windows.open_until(1, 50s, 0) == 101s);
  CHECK(windows.open_until(1, 102s, 0) == 102s);
}

TEST_CASE("windows of machines that do not exist are refused") {
  CHECK_THROWS_AS((machine_windows{{{1s, 2s, {}, {3}}}, 3, nullptr}), std::invalid_argument);
}

TEST_CASE("a machine lets start what is late by no more than two seconds") {
  const machine_windows windows{{{10s, 20s, {}, {0}}, {21s, 30s, 5, {0}}}, 1, nullptr};
  const auto c = windows.class_of(0);
  CHECK(windows.admits_task(c, 6s, 4s, 0));
  CHECK_FALSE(windows.admits_task(c, 6s, 4s + 1ns, 0));
  CHECK(windows.lets_start(c, 6s, 6s, 0)); // late by 2 s
  CHECK(windows.lets_start(c, 8s, 6s, 0)); // might have been started 2 s ago
  CHECK_FALSE(windows.lets_start(c, 8s, 6s + 1ns, 0));
  CHECK(windows.lets_start(c, 11s, 1s, 0));
  CHECK_FALSE(windows.lets_start(c, 12s, 1s, 0));
  CHECK_FALSE(windows.lets_start(c, 5s, 0s, 0)); // without an estimate
  CHECK(windows.lets_start(c, 20s, 0s, 5));
  CHECK_FALSE(windows.lets_start(c, 20s, 0s, 0));
  CHECK(windows.lets_start(c, 22s, 1s, 0)); // between the two windows
  CHECK_FALSE(windows.lets_start(c, 23s + 1ns, 1s, 0));
  CHECK_FALSE(windows.lets_start(c, 12s, 19s, 1s, 0));
  CHECK(windows.lets_start(c, 12s, 29s, 1s, 0));
  CHECK(windows.next_end(c, 9s) == 20s);
  CHECK(windows.next_end(c, 20s) == 30s);
  CHECK(windows.next_end(c, 30s) == instant::max());
  CHECK(windows.next_end(0, 0s) == instant::max());
}

TEST_CASE("a machine without windows has no hours to keep") {
  const auto windows = std::make_shared<const machine_windows>(
    std::vector<machine_window>{{10s, 20s, {}, {1}}}, 2, nullptr);
  CHECK_FALSE(machine_hours{}.any());
  CHECK_FALSE(machine_hours{nullptr, 0}.any());
  CHECK_FALSE(machine_hours{windows, 0}.any());
  CHECK(machine_hours{windows, 0}.lets_start(15s, 0s, 0));
  CHECK(machine_hours{windows, 0}.next_end(0s) == instant::max());
  const machine_hours hours{windows, 1};
  CHECK(hours.any());
  CHECK(hours.admits_task(3s, 7s, 0));
  CHECK_FALSE(hours.admits_task(3s, 8s, 0));
  CHECK(hours.lets_start(3s, 8s, 0));
  CHECK_FALSE(hours.lets_start(15s, 1s, 0));
  CHECK(hours.next_end(0s) == 20s);
}

TEST_CASE("windows may count from a time before that of the members") {
  const auto begin = std::make_shared<run_begin>(instant{-1000s}); // as with times in UTC
  const machine_windows windows{{{1010s, 1020s, {}, {0}}}, 1, begin};
  CHECK(windows.open_until(1, 0s, 0) == 10s);
  CHECK(windows.open_until(1, 15s, 0) == 15s);
  CHECK(windows.next_end(0s) == 20s);
}
