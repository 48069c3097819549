#include "process/supervisor/supervise_main.hpp"

/// `troupe supervise` as a program of its own, linked statically: each command of a task has a fork
/// of it, and a fork of a program with few mappings costs a quarter of one of `troupe`.
int main(int argc, char** argv) {
  return troupe::supervise_main({argv + 1, argv + argc});
}
