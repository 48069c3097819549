#include "commands/commands.hpp"
#include "jobs/store/job_database.hpp"
#include "jobs/store/store_tools.hpp"
#include "report/text/text.hpp"
#include "support/json_output.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

namespace troupe {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr const char* store_examples = R"(Examples:
  troupe store check cluster/node-1
  troupe store export cluster/node-1 --out jobs.jsonl
  troupe store import jobs.jsonl cluster-2/node-1
  troupe store export jobs.sqlite | troupe store import - postgresql://troupe@db.example/troupe

A STORE is a file of SQLite, or the directory with the state of a node (--state), which has it in
jobs.sqlite; or the address of a database of PostgreSQL, as workload.store has it. Nodes may run
while their store is checked or exported.)";

struct store_options {
  std::string store;
  std::string file;
  bool as_json = false;
};

json counts_json(const store_place& at, const store_counts& n) {
  return {{"store", at.text()}, {"jobs", n.jobs}, {"tasks", n.tasks}, {"attempts", n.attempts}};
}

std::string counts_text(const store_counts& n) {
  return count_text(n.jobs) + " jobs, " + count_text(n.tasks) + " rows of tasks, " +
         count_text(n.attempts) + " attempts";
}

int check(const store_options& options) {
  const auto at = store_place::read(options.store);
  const auto found = check_store(at);
  if (options.as_json) {
    auto result = counts_json(at, found.counts);
    result["faults"] = found.faults;
    print_json(result);
  } else {
    for (const auto& fault : found.faults)
      std::cout << fault << '\n';
    std::cout << at.text() << ": " << counts_text(found.counts) << "; "
              << (found.faults.empty() ? "no faults" : count_text(found.faults.size()) + " faults")
              << '\n';
  }
  return found.faults.empty() ? exit_code::done : exit_code::failed;
}

/// Writes a new file, for its owner only: jobs may have secrets in their environment. A link stays
/// one.
store_counts export_to_file(const store_place& at, const std::string& given) {
  const auto name = fs::is_symlink(given) ? fs::weakly_canonical(given).string() : given;
  if (fs::exists(name) && !fs::is_regular_file(name))
    throw usage_error{"store export: --out " + given +
                      ": it is no regular file; expected a file, or no --out for standard output"};
  const auto part = name + ".part";
  std::ofstream out{part, std::ios::binary | std::ios::trunc};
  std::error_code why;
  fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write, why);
  if (!out || why)
    throw usage_error{"store export: --out " + name +
                      ": it cannot be written; expected a file in a directory that exists"};
  try {
    const auto counts = export_store(at, out);
    out.close();
    if (!out)
      throw std::runtime_error("cannot write " + part);
    fs::rename(part, name);
    return counts;
  } catch (...) {
    fs::remove(part, why);
    throw;
  }
}

int export_rows(const store_options& options) {
  if (options.file.empty() && options.as_json)
    throw usage_error{"store export: --json without --out; expected both, as the export itself is "
                      "written to standard output"};
  const auto at = store_place::read(options.store);
  if (options.file.empty()) {
    export_store(at, std::cout);
    return exit_code::done;
  }
  const auto counts = export_to_file(at, options.file);
  if (options.as_json) {
    auto result = counts_json(at, counts);
    result["file"] = options.file;
    print_json(result);
  } else {
    std::cout << counts_text(counts) << " in " << options.file << '\n';
  }
  return exit_code::done;
}

int import_rows(const store_options& options) {
  const auto at = store_place::read(options.store);
  store_counts counts;
  if (options.file == "-") {
    counts = import_store(at, std::cin);
  } else {
    std::ifstream in{options.file, std::ios::binary};
    if (!in)
      throw usage_error{"store import: " + options.file +
                        ": it cannot be read; expected what 'troupe store export' has written"};
    counts = import_store(at, in);
  }
  if (options.as_json)
    print_json(counts_json(at, counts));
  else
    std::cout << at.text() << ": " << counts_text(counts) << " are in the new store\n";
  return exit_code::done;
}

/// A store that cannot be used: the command line is wrong.
int run_with_usage_errors(const std::string& command, const store_options& options,
                          int (*run)(const store_options&)) {
  try {
    return run(options);
  } catch (const store_refused& e) {
    throw usage_error{"store " + command + ": " + e.what()};
  }
}

} // namespace

void add_store_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("store", "Check, export and import the jobs of a cluster");
  command->footer(store_examples);
  command->require_subcommand(1);
  auto options = std::make_shared<store_options>();
  const auto add = [&](const char* name, const char* what, int (*run)(const store_options&)) {
    auto* sub = command->add_subcommand(name, what);
    sub->callback([&chosen, options, name, run] {
      chosen = [options, name, run] { return run_with_usage_errors(name, *options, run); };
    });
    return sub;
  };
  const auto add_store = [&](CLI::App* sub, const char* what) {
    sub->add_option("STORE", options->store, what)->required()->type_name("");
    add_json_option(*sub, options->as_json);
  };
  add_store(add("check", "Look for damage, and for rows that contradict each other", check),
            "A file, the --state of a node, or an address");
  auto* exporting = add("export", "Write a store as text, a JSON object on each line", export_rows);
  add_store(exporting, "A file, the --state of a node, or an address");
  exporting->add_option("--out", options->file, "File for it, mode 0600; default: standard output")
    ->type_name("FILE");
  auto* importing = add("import", "Make a new store of what was exported", import_rows);
  importing->add_option("FILE", options->file, "The export; - is standard input")
    ->required()
    ->type_name("");
  add_store(importing, "A new file, or a --state or a database that has none yet");
}

} // namespace troupe
