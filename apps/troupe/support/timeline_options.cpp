#include "support/timeline_options.hpp"

#include "commands/commands.hpp"
#include "report/records/gzip_file.hpp"
#include "report/text/text.hpp"
#include "settings/toml/duration_text.hpp"
#include "workload/traces/text_reader.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

/// Reads an option by `read`, whose complaint gets the option's name.
template <class Read>
auto option_value(const char* name, const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const std::invalid_argument& e) {
    throw usage_error{"run: " + std::string{name} + " = " + text + ": " + e.what()};
  }
}

timeline_filter filter_of(const timeline_options& options) {
  timeline_filter filter;
  const auto read_ranges = [](const std::string& text) { return number_ranges{text}; };
  const auto read_duration = [](const std::string& text) {
    try {
      return parse_duration(text);
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument{std::string{"expected "} + e.what()};
    }
  };
  if (!options.from.empty())
    filter.from = option_value("--timeline-from", options.from, read_duration);
  if (!options.to.empty())
    filter.to = option_value("--timeline-to", options.to, read_duration);
  if (filter.to < filter.from)
    throw usage_error{"run: --timeline-to " + options.to + " is before --timeline-from " +
                      options.from + "; expected a later time"};
  if (!options.members.empty())
    filter.members = option_value("--timeline-members", options.members,
                                  [](const std::string& text) { return member_choice{text}; });
  if (!options.machines.empty())
    filter.machines = option_value("--timeline-machines", options.machines, read_ranges);
  if (!options.jobs.empty())
    filter.jobs = option_value("--timeline-jobs", options.jobs, read_ranges);
  filter.snapshots = options.snapshots;
  return filter;
}

/// Returns whether a file that exists is one that a timeline may replace: an older one, an empty
/// one, or no file with contents, such as a pipe.
bool may_be_replaced(const std::filesystem::path& path) try {
  if (!std::filesystem::is_regular_file(path) || std::filesystem::is_empty(path))
    return true;
  text_reader text{path.string()};
  const auto line = text.next();
  return line && line->starts_with(timeline::beginning);
} catch (const std::exception&) {
  return false; // no text
}

[[noreturn]] void refuse_to_write(const std::filesystem::path& path) {
  throw usage_error{"run: --timeline " + path.string() +
                    ": it cannot be written; expected a file in a directory that exists"};
}

} // namespace

void add_timeline_options(CLI::App& command, timeline_options& options) {
  auto* file = command
                 .add_option("--timeline", options.file,
                             "Write a trace that Perfetto opens; compressed if FILE ends in .gz")
                 ->type_name("FILE");
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command.add_option(name, value, help)->type_name(type)->needs(file);
  };
  add("--timeline-from", options.from, "TIME", "Leave out what ends before, as in 20s");
  add("--timeline-to", options.to, "TIME", "Leave out what begins later");
  add("--timeline-members", options.members, "LIST",
      "Such as master,owner.2,scheduler.0-3; default: all");
  add("--timeline-machines", options.machines, "LIST",
      "Machines whose tasks it shows, as in 0-9,17, all, none; default: 0-9");
  add("--timeline-jobs", options.jobs, "LIST", "Jobs that it shows, likewise; default: 0-9");
  command
    .add_flag("--timeline-snapshots", options.snapshots,
              "Show snapshots that schedulers receive: many")
    ->needs(file);
}

timeline_file::timeline_file(const timeline_options& options)
  : timeline_(filter_of(options)), path_(options.file) {
  if (!may_be_replaced(path_))
    throw usage_error{"run: --timeline " + path_.string() +
                      ": it exists and is no timeline; expected a new file, or an older timeline"};
  const auto to_write = std::filesystem::exists(path_) ? path_
                        : path_.has_parent_path()      ? path_.parent_path()
                                                       : std::filesystem::path{"."};
  if (access(to_write.c_str(), W_OK) != 0)
    refuse_to_write(path_);
}

void timeline_file::check_outside(const std::filesystem::path& results) const {
  const auto whole = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  const auto inside = whole(path_).lexically_relative(whole(results));
  if (!inside.empty() && *inside.begin() != "..")
    throw usage_error{"run: --timeline " + path_.string() + ": it is in " + results.string() +
                      ", which is for results only; expected a file in another directory"};
}

void timeline_file::begin() const {
  if (!std::ofstream{path_})
    refuse_to_write(path_);
}

bool timeline_file::write(const run_results& results, bool quiet) {
  const auto text = timeline_.finish(results);
  bool written = false;
  if (path_.extension() == ".gz") {
    gzip_file out{path_};
    written = out.add(text);
    written = out.close() && written;
  } else {
    std::ofstream out{path_, std::ios::binary | std::ios::trunc};
    out << text;
    out.close();
    written = static_cast<bool>(out);
  }
  const auto size = timeline_.size();
  if (!written)
    std::cerr << "troupe: the timeline cannot be written to " << path_.string() << std::endl;
  else if (!quiet)
    std::cout << "timeline of " << count_text(size.events) << " events in " << path_.string()
              << "; https://ui.perfetto.dev opens it" << std::endl;
  if (written && !size.complaint().empty())
    std::cerr << "troupe: " << size.complaint() << std::endl;
  return written;
}

} // namespace troupe
