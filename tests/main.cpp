#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

/// The log begins at warnings: a test that fails has its reasons among few other lines.
int main(int argc, char** argv) {
  spdlog::set_level(spdlog::level::warn);
  return doctest::Context{argc, argv}.run();
}
