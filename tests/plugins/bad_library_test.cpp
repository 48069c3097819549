#include "plugins/libraries.hpp"

#include <doctest/doctest.h>

#include <fstream>

using namespace troupe;
using namespace troupe::test;

namespace {

std::string load_refusal(const std::filesystem::path& path) {
  try {
    load_plugin(path);
  } catch (const plugin_error& e) {
    return e.what();
  }
  return "loaded";
}

} // namespace

TEST_CASE("a library that is no plugin, or does not fit, is refused with its path and the reason") {
  struct fault {
    const char* library;
    const char* complaint;
  };
  const fault faults[] = {
    {"bad_no_abi", "does not define the symbol troupe_plugin_abi"},
    {"bad_no_plugin", "does not define the symbol troupe_plugin;"},
    {"bad_other_abi", "was built for \"placement-policy contract 0, C++ ABI 1002"},
    {"bad_other_kind", "says it is a \"carrier-pigeon\""},
    {"bad_no_descriptor", "troupe_plugin() describes nothing"},
    {"bad_throws", "troupe_plugin() threw: not today"},
    {"bad_no_name", "has no name"},
    {"bad_unfit_name", "is named 'Bad Name'; expected lower case letters"},
    {"bad_taken_name", "is named 'best-fit', as is a built-in one"},
    {"bad_no_factory", "'bad' has no function that makes its policy"},
    {"bad_bad_default", "'bad' has a setting 'k' whose default 200 is not in its own range"},
    {"bad_same_setting", "'bad' has two settings named 'k'"},
    {"bad_undefined_symbol", "nowhere_to_be_found"},
  };
  const auto before = registered_names(plugin_kind::placement_policy).size();
  for (const auto& [name, complaint] : faults) {
    const auto path = library(name);
    const auto message = load_refusal(path);
    CAPTURE(message);
    CAPTURE(complaint);
    CHECK(message.starts_with(path + ": "));
    CHECK(message.find(complaint) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(load_refusal(path) == message);
  }
  CHECK(registered_names(plugin_kind::placement_policy).size() == before);
}

TEST_CASE("what is no shared library at all is refused") {
  const auto folder = std::filesystem::path{TROUPE_PLUGIN_DIR};
  CHECK(load_refusal(folder / "none.so").find("there is no such file") != std::string::npos);
  CHECK(load_refusal(folder).find("is a directory") != std::string::npos);
  std::ofstream{folder / "text.so"} << "this is no library\n";
  CHECK(load_refusal(folder / "text.so").find("cannot be loaded as a shared library") !=
        std::string::npos);
}

TEST_CASE("a library is loaded once, and two cannot share a name") {
  with_faulty({});
  load_plugin(library("faulty_policy"));
  const auto names = registered_names(plugin_kind::placement_policy).size();
  load_plugin(library("faulty_policy"));
  CHECK(registered_names(plugin_kind::placement_policy).size() == names);
  const auto copy = std::filesystem::path{TROUPE_PLUGIN_DIR} / "faulty_copy.so";
  std::filesystem::copy_file(library("faulty_policy"), copy,
                             std::filesystem::copy_options::overwrite_existing);
  const auto message = load_refusal(copy);
  CHECK(message.find("is named 'faulty', as is the one in " + library("faulty_policy")) !=
        std::string::npos);
}
