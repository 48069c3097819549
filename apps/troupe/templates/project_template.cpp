#include "templates/project_template.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr const char* expect = R"(int failures = 0;

void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}
)";

constexpr const char* cmake = R"(cmake_minimum_required(VERSION 3.25)
project(@ID@ LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_package(Troupe @VERSION@ REQUIRED)

troupe_add_@KIND@(@ID@ @ID@.cpp)

enable_testing()
add_executable(@ID@_test @ID@_test.cpp)
target_link_libraries(@ID@_test PRIVATE troupe::@LIBRARY@)
add_test(NAME @ID@_test COMMAND @ID@_test $<TARGET_FILE:@ID@>)
)";

constexpr const char* settings_template =
  R"(# A small cluster whose schedulers @USE@; from this folder, once it is built:
#   troupe run run.toml
name = "@NAME@"
schedulers = 5

[plugins]
paths = ["build/@ID@.so"]

[cluster]
machines = 500
partitions = 20
owners = 4

[scheduler]
@KEY@ = "@NAME@"

[@KIND@.@NAME@]
@SETTING@ = @VALUE@

[workload]
duration = { kind = "exponential", value = 2 }

[[workload.phases]]
length = "10s"
rate = 300
)";

constexpr const char* readme = R"(# @NAME@: a @TITLE@ for Troupe

    cmake -S . -B build -DCMAKE_PREFIX_PATH=@PREFIX@
    cmake --build build
    ctest --test-dir build
    troupe check @KIND@ @NAME@ --plugin build/@ID@.so
    troupe run run.toml
    troupe run run.toml --set @KIND@.@NAME@.@SETTING@=@OTHER_VALUE@

| file | what it is |
|---|---|
| `@ID@.cpp` | the @KIND@: what it is called, what can be set, @DECIDES@ |
| `@ID@_test.cpp` | its test, @TRIED@ |
| `run.toml` | a small cluster that uses it |
)";

/// Returns "0.1" of "0.1.0": a CMake package is for those who ask for its minor version.
std::string minor_version() {
  const std::string version{TROUPE_VERSION};
  return version.substr(0, version.rfind('.'));
}

void fill(std::string& text, const template_words& words) {
  for (const auto& [mark, word] : words)
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + word.size()))
      text.replace(at, mark.size(), word);
}

} // namespace

std::vector<project_file> filled_project(const project_template& from, const std::string& name,
                                         const std::string& prefix) {
  auto id = name;
  std::ranges::replace(id, '-', '_');
  auto words = from.words; // they may contain the marks behind them
  words.insert(words.end(), {{"@EXPECT@", expect},
                             {"@NAME@", name},
                             {"@ID@", id},
                             {"@PREFIX@", prefix},
                             {"@VERSION@", minor_version()}});
  std::vector<project_file> files{
    {"CMakeLists.txt", cmake},    {"@ID@.cpp", from.source},
    {"@ID@_test.cpp", from.test}, {"run.toml", settings_template},
    {"README.md", readme},        {".gitignore", "build/\nresults/\n"}};
  for (auto& file : files) {
    fill(file.name, words);
    fill(file.text, words);
  }
  return files;
}

} // namespace troupe
