#include "support/explain_desk.hpp"

#include "cluster/node_process.hpp"
#include "report/records/record_writer.hpp"
#include "report/results/results_directory.hpp"
#include "support/result_files.hpp"
#include "support/temporary_directory.hpp"

#include <fmt/format.h>

#include <fstream>
#include <regex>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using desk_clock = std::chrono::steady_clock;

constexpr auto desk_pause = std::chrono::milliseconds{20};
constexpr auto writing_patience = std::chrono::seconds{3};

std::string whole_text(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The last line that `command` of troupe has said, without the names of both.
std::string last_words(const fs::path& file, const std::string& command) {
  std::ifstream in{file};
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (!line.empty())
      last = line;
  for (const auto& mark : {std::string{"troupe: "}, command + ": "})
    if (last.starts_with(mark))
      last.erase(0, mark.size());
  return last;
}

std::string command_of(const task_question& q) {
  return q.why_not ? "why-not" : "explain";
}

/// Makes the files of records that there are so far look like those of a run that has ended.
void link_records(const fs::path& from, const fs::path& to) {
  for (const auto name : {results_directory::jobs_name, results_directory::tasks_name,
                          results_directory::attempts_name}) {
    const auto partial = from / record_writer::partial_name(name);
    const auto there = fs::exists(partial) ? partial : from / name;
    if (fs::exists(there))
      fs::create_symlink(fs::absolute(there), to / name);
  }
}

} // namespace

std::string why_no_question(const task_question& q) {
  static const std::regex task{R"(([A-Za-z0-9_][^/\s]{0,99}/)?[0-9]{1,20}(\.[0-9]{1,10})?)"};
  static const std::regex machine{"[0-9]{0,10}"};
  static const std::regex time{R"(([0-9][0-9.]{0,30}(ns|us|ms|s|m|h))?)"};
  if (!std::regex_match(q.task, task))
    return "the query has no 'task' of the form JOB.TASK, GROUP/JOB.TASK or JOB, such as 812.3";
  if (!std::regex_match(q.machine, machine))
    return "'machine' is not a number";
  if (!std::regex_match(q.at, time))
    return "'at' is not a time such as 14.2s";
  return "";
}

task_question question_in(const web_request& request, bool why_not) {
  task_question q{why_not, request.value("task"), "", ""};
  if (why_not) {
    q.machine = request.value("machine");
    q.at = request.value("at");
  }
  return q;
}

/// A question, its process, and those who wait for its answer.
struct explain_desk::job {
  struct waiter {
    answer_function done;
    desk_clock::time_point until;
  };

  task_question question;
  std::vector<waiter> waiters{};
  temporary_directory place{};
  std::function<bool()> written{}; ///< the records
  std::unique_ptr<node_process> process{};
  desk_clock::time_point began = desk_clock::now();
  std::optional<web_response> answer{}; ///< until somebody has got it

  fs::path out() const { return place.path() / "answer"; }
  fs::path said() const { return place.path() / "said"; }
};

explain_desk::explain_desk(sources from) : explain_desk(std::move(from), patience{}) {}

explain_desk::explain_desk(sources from, patience limits)
  : from_(std::move(from)), limits_(limits), thread_([this] { work(); }) {}

explain_desk::~explain_desk() {
  {
    const std::lock_guard lock{mutex_};
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void explain_desk::ask(const task_question& q, answer_function done) {
  if (const auto why = why_no_question(q); !why.empty())
    return done(error_response(400, why));
  std::unique_lock lock{mutex_};
  const auto until = desk_clock::now() + limits_.reply;
  if (job_ && job_->question == q) {
    if (job_->answer) {
      auto answer = std::move(*job_->answer);
      ended_.push_back(std::move(job_));
      lock.unlock();
      return done(std::move(answer));
    }
    job_->waiters.push_back({std::move(done), until});
    return;
  }
  if (job_ && !job_->waiters.empty()) {
    lock.unlock();
    return done(error_response(503, "another task is being explained; ask again in a second"));
  }
  if (job_)
    ended_.push_back(std::move(job_));
  try {
    job_ = std::make_unique<job>();
    job_->question = q;
    job_->waiters.push_back({std::move(done), until});
  } catch (const std::exception& e) {
    job_.reset();
    lock.unlock();
    return done(error_response(500, e.what()));
  }
  changed_.notify_all();
}

/// Processes are started and ended by this thread, with which they end.
void explain_desk::work() {
  std::unique_lock lock{mutex_};
  while (!stop_) {
    auto old = std::exchange(ended_, {});
    lock.unlock();
    old.clear();
    lock.lock();
    if (!job_ || job_->answer) {
      if (ended_.empty() && !stop_)
        changed_.wait(lock);
      continue;
    }
    if (job_->process)
      look_at(*job_);
    else if (is_written(*job_))
      start(*job_);
    if (job_ && !job_->answer)
      changed_.wait_for(lock, desk_pause);
  }
  if (job_)
    settle(*job_, error_response(503, "the server ends"));
  job_.reset();
  ended_.clear();
}

/// A run that does not write its records in time is explained from those that there are.
bool explain_desk::is_written(job& of) {
  if (!from_.write_records)
    return true;
  if (!of.written)
    of.written = from_.write_records();
  return of.written() || desk_clock::now() - of.began > writing_patience;
}

void explain_desk::start(job& of) try {
  const auto& q = of.question;
  write_text(of.place.path(), std::string{results_directory::config_name}, from_.config);
  std::vector<std::string> words{command_of(q), q.task};
  if (!q.machine.empty())
    words.push_back(q.machine);
  for (const auto& word : {std::string{"--in"}, of.place.path().string(), std::string{"--json"},
                           std::string{"--quiet"}, std::string{"--unfinished"}})
    words.push_back(word);
  if (!q.at.empty())
    words.insert(words.end(), {"--at", q.at});
  if (!from_.records.empty())
    link_records(from_.records, of.place.path());
  if (from_.words)
    for (auto& word : from_.words())
      words.push_back(std::move(word));
  of.process = std::make_unique<node_process>(std::move(words), of.out(), of.said());
} catch (const std::exception& e) {
  settle(of, error_response(500, e.what()));
}

void explain_desk::look_at(job& of) {
  const auto now = desk_clock::now();
  if (const auto end = of.process->ended()) {
    if (end->signal == 0 && end->code == 0)
      return settle(of, json_response(whole_text(of.out())));
    const auto why = end->signal == 0 ? last_words(of.said(), command_of(of.question))
                                      : "the process that explains tasks " + to_string(*end);
    const unsigned status = end->signal != 0 ? 500 : end->code == 1 ? 404 : 400;
    return settle(of, error_response(status, why));
  }
  if (now - of.began > limits_.answer) {
    const auto limit = std::chrono::duration_cast<std::chrono::seconds>(limits_.answer).count();
    of.process.reset();
    return settle(
      of, error_response(504, fmt::format("it takes longer than {} s to make the run again until "
                                          "now; ask 'troupe {} {}' when the run is over",
                                          limit, command_of(of.question), of.question.task)));
  }
  std::erase_if(of.waiters, [&](const job::waiter& w) {
    if (now < w.until)
      return false;
    auto working =
      json_response(fmt::format("{{\"state\":\"working\",\"seconds\":{:.1f}}}\n",
                                std::chrono::duration<double>(now - of.began).count()));
    working.status = 202;
    w.done(std::move(working));
    return true;
  });
}

void explain_desk::settle(job& of, web_response answer) {
  of.process.reset();
  if (of.waiters.empty()) {
    of.answer = std::move(answer);
    return;
  }
  for (const auto& w : of.waiters)
    w.done(answer);
  if (job_.get() == &of)
    ended_.push_back(std::move(job_));
}

} // namespace troupe
