#include "support/result_files.hpp"

#include "commands/commands.hpp"
#include "report/json/parse_json.hpp"
#include "report/results/results_format.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace troupe {

namespace fs = std::filesystem;

namespace {

std::string text_in(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

fs::path folder_of(const nlohmann::ordered_json& result) {
  return fs::path{result.at("file").get<std::string>()}.parent_path();
}

} // namespace

held_directory hold_directory(const std::string& command, const std::string& out,
                              const fs::path& usual) {
  auto path = out.empty() ? usual : fs::path{out};
  for (int n = 2;; ++n) {
    try {
      directory_lock lock{path};
      if (out.empty() && path != usual)
        std::cerr << "troupe: " << usual.string() << " is in use by another process; the results "
                  << "of this one go to " << path.string() << std::endl;
      return {path, std::move(lock)};
    } catch (const directory_in_use& e) {
      if (!out.empty())
        throw usage_error{command + ": --out " + e.what()};
      path = usual.string() + '.' + std::to_string(n);
    }
  }
}

void write_text(const fs::path& directory, const std::string& name, const std::string& text) {
  fs::create_directories(directory);
  const auto path = directory / name;
  auto temporary = path;
  temporary += ".part";
  std::ofstream out{temporary, std::ios::binary | std::ios::trunc};
  out << text;
  out.close();
  std::error_code failure;
  if (out)
    fs::rename(temporary, path, failure);
  if (!out || failure) {
    fs::remove(temporary, failure);
    throw std::runtime_error{"cannot write " + path.string()};
  }
}

bool tell_unwritten(const std::function<void()>& write) try {
  write();
  return true;
} catch (const std::runtime_error& e) {
  std::cerr << "troupe: " << e.what() << std::endl;
  return false;
}

void write_result(const fs::path& directory, const nlohmann::ordered_json& result) {
  write_text(directory, result_name, result.dump(2) + '\n');
}

nlohmann::ordered_json read_result(const fs::path& directory) {
  auto result = parse_json(text_in(directory / result_name));
  if (!result.is_object() || !result.contains("expectations"))
    throw usage_error{directory.string() + ": there is no result.json of an experiment; run " +
                      "troupe experiment first"};
  check_results_format(directory / result_name, result);
  return result;
}

std::string notes_for(const nlohmann::ordered_json& result) {
  return text_in(folder_of(result) / "notes.md");
}

std::string picture_for(const nlohmann::ordered_json& result) {
  const auto text = text_in(folder_of(result) / "picture.gp");
  const auto line = text.substr(0, text.find('\n'));
  return line.starts_with("# ") ? line.substr(2) : "";
}

} // namespace troupe
