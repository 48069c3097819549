#include "cluster/console_node.hpp"

#include "cluster/page_place.hpp"
#include "report/summary/summary_table.hpp"
#include "report/text/printable.hpp"
#include "report/text/text.hpp"
#include "settings/toml/print.hpp"
#include "support/execute.hpp"
#include "support/result_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

/// Shorter than those of the clients that wait for an answer.
constexpr explain_desk::patience question_patience{std::chrono::seconds{1},
                                                   std::chrono::seconds{120}};

/// The settings as the user wrote them: a node watches failures in any case.
run_settings as_given(run_settings settings) {
  settings.failures.watch = watch_kind::automatic;
  return settings;
}

/// The address of the page without its token if the line goes to the journal of systemd, which more
/// users than the owner of the token may read.
std::string for_log(const std::string& url) {
  const auto token = url.find("#token=");
  if (token == std::string::npos || std::getenv("JOURNAL_STREAM") == nullptr)
    return url;
  return url.substr(0, token) + "; the file page in its --state has the address with the token";
}

} // namespace

console_node::console_node(options how, const node_options& node)
  : options_(std::move(how)), node_(node) {
  if (options_.out.empty())
    return;
  directory_.emplace(open_results(options_.out));
  rows_.emplace(*directory_);
}

void console_node::listens(const host_port& at) {
  const auto fresh = node_.state / "address.new";
  std::ofstream{fresh} << address_text(at) << '\n';
  std::filesystem::rename(fresh, node_.state / "address");
  if (!options_.quiet)
    std::cerr << "node " << node_.name << " listens on " << address_text(at)
              << (node_.credentials ? ", mutual TLS" : ", loopback only: it has no certificates")
              << std::endl;
}

void console_node::serves(const std::string& url) {
  write_page_address(node_.state, url);
  if (!options_.quiet)
    std::cerr << "node " << node_.name << " serves the live page at " << for_log(url) << std::endl;
}

void console_node::waits(const std::string& what, std::chrono::seconds since) {
  if (options_.quiet)
    return;
  const bool changed = what != waits_for_;
  waits_for_ = what;
  const auto text = "node " + node_.name + ' ' +
                    (what.empty() ? "has stopped waiting" : "waits: " + printable(what, 1000)) +
                    (since.count() > 0 ? " (" + std::to_string(since.count()) + " s)" : "");
  if (redraws(STDERR_FILENO))
    std::cerr << "\r\x1b[K" << troupe::fit(text, 79) << (what.empty() ? "\n" : "") << std::flush;
  else if (changed || since - waits_told_ >= std::chrono::seconds{10})
    std::cerr << text << std::endl;
  else
    return;
  waits_told_ = since;
}

void console_node::work_begins(const run_settings& settings) {
  if (!rows_ || settings.records != record_level::tasks)
    return;
  explain_desk::sources from;
  from.config = to_toml(as_given(settings));
  from.records = directory_->path();
  from.write_records = [this]() -> std::function<bool()> {
    const auto number = ++records_wanted_;
    return [this, number] { return over_ || records_written_ >= number; };
  };
  const std::lock_guard lock{mutex_};
  desk_ = std::make_unique<explain_desk>(std::move(from), question_patience);
}

void console_node::find_story(const story_request& asked, std::function<void(story_reply)> tell) {
  const std::lock_guard lock{mutex_};
  if (!desk_)
    return tell({501, R"({"error":"this cluster keeps no records of tasks so far; expected the )"
                      R"(setting records = \"tasks\", and --out on the node with the workload"})"});
  desk_->ask({asked.why_not, asked.task, asked.machine, ""},
             [tell = std::move(tell)](web_response answer) {
               tell({answer.status, std::move(answer.body)});
             });
}

void console_node::progress(const run_progress& at) {
  if (rows_) {
    rows_->flush_now_and_then();
    if (const auto wanted = records_wanted_.load(); wanted > records_written_.load()) {
      rows_->flush_records();
      records_written_ = wanted;
    }
  }
  last_ = at;
  if (!options_.quiet)
    printer_.update(at);
}

bool console_node::take_row(const interval_record& row, const run_results& so_far) {
  if (rows_)
    rows_->add(row, so_far);
  return true;
}

bool console_node::take_row(const tenant_record& row, const run_results& so_far) {
  if (rows_)
    rows_->add(row, so_far);
  return true;
}

void console_node::take_records(const record_batch& records, const run_results& so_far) {
  if (rows_)
    rows_->add(records, so_far);
}

void console_node::results(const run_results& measured, const run_settings& settings) {
  auto results = measured;
  bool complete = true;
  if (rows_) {
    rows_->finish(results);
    complete = tell_incomplete(rows_->incomplete());
  }
  if (!options_.quiet)
    printer_.finish(last_);
  std::ostringstream text;
  write_summary(text, results);
  const auto summary = with_verdicts(text.str());
  if (directory_)
    written_ = report_where(*directory_, results, to_toml(as_given(settings)), {.text = summary})
                 .trouble.empty() &&
               complete;
  else
    std::cout << summary << std::flush;
  over_ = true;
}

} // namespace troupe
