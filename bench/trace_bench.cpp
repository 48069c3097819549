#include "model/base/random.hpp"
#include "workload/traces/trace_reader.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <queue>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

// Measures the speed and memory of reading traces: generates a file of each format and reads it to
// its end, its jobs in the order of submission.

namespace troupe::bench {

namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

/// Writes rows until the file has a given number of bytes.
class rows {
public:
  rows(const fs::path& path, std::uint64_t bytes) : out_(path, std::ios::binary), left_(bytes) {}

  bool more() const { return written_ < left_; }

  template <class... Args>
  void add(const char* format, Args... args) {
    char row[512];
    const int n = std::snprintf(row, sizeof row, format, args...);
    out_.write(row, n);
    written_ += static_cast<std::uint64_t>(n);
  }

  void add(const std::string& text) {
    out_ << text;
    written_ += text.size();
  }

private:
  std::ofstream out_;
  std::uint64_t left_;
  std::uint64_t written_ = 0;
};

void write_tr(rows& out, random_stream& random) {
  for (double at = 0; out.more(); at += 0.01) {
    const auto n = 1 + random.below(60);
    out.add("%.4f %d 10.0", at, static_cast<int>(n));
    for (std::uint64_t i = 0; i < n; ++i)
      out.add(" %.6f", 20 * random.unit());
    out.add("\n");
  }
}

void write_google(rows& out, random_stream& random) {
  struct event {
    long long at;
    long long job;
    int task;
    int what;
    bool operator<(const event& other) const { return at > other.at; }
  };
  std::priority_queue<event> later;
  long long at = 600'000'000;
  for (long long job = 6'250'000'000; out.more(); ++job, at += 20'000) {
    for (; !later.empty() && later.top().at <= at; later.pop()) {
      const auto& e = later.top();
      out.add("%lld,,%lld,%d,431052910,%d,70s3v5qRyCO/1PCdI6fVXnrW8FU/w+5CKRSa72xgcIo=,0,2,0.0125,"
              "0.01553,0.0003767,0\n",
              e.at, e.job, e.task, e.what);
    }
    const int n = 1 + static_cast<int>(random.below(5));
    for (int i = 0; i < n; ++i) {
      out.add("%lld,,%lld,%d,,0,70s3v5qRyCO/1PCdI6fVXnrW8FU/w+5CKRSa72xgcIo=,0,2,0.0125,0.01553,"
              "0.0003767,0\n",
              at, job, i);
      later.push({at + 1000 + static_cast<long long>(random.below(3'000'000)), job, i, 1});
      later.push({at + 4'000'000 + static_cast<long long>(random.below(400'000'000)), job, i, 4});
    }
  }
}

void write_alibaba(rows& out, random_stream& random) {
  for (int job = 1; out.more(); ++job) {
    const int start = 1 + static_cast<int>(random.below(690'000));
    const int n = 1 + static_cast<int>(random.below(5));
    for (int i = 1; i <= n; ++i) {
      const int end = start + static_cast<int>(random.below(300));
      const int count = 1 + static_cast<int>(random.below(50));
      if (i == 1)
        out.add("M1,%d,j_%d,1,Terminated,%d,%d,100.00,0.39\n", count, job, start, end);
      else
        out.add("R%d_%d,%d,j_%d,1,Terminated,%d,%d,50.00,0.2\n", i, i - 1, count, job, start, end);
    }
  }
}

void write_swf(rows& out, random_stream& random) {
  out.add("; Version: 2.2\n; MaxNodes: 1000\n; MaxProcs: 8000\n");
  for (int job = 1; out.more(); ++job)
    out.add("%7d %9d %6d %6d %5d -1 -1 %5d %6d -1 1 %3d 1 -1 %d -1 -1 -1\n", job, job * 3,
            static_cast<int>(random.below(1000)), static_cast<int>(random.below(90'000)), 64, 64,
            86'400, static_cast<int>(random.below(400)), 1);
}

struct reading {
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t bytes = 0;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
};

double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

reading read(const std::string& path) {
  trace_settings settings;
  settings.horizon = std::chrono::hours{1};
  reading r;
  const auto from = clock::now();
  const auto cpu = cpu_now();
  const auto reader = open_sorted_trace(path, settings);
  trace_job job;
  while (reader->next(job)) {
    ++r.jobs;
    r.tasks += job.task_count();
  }
  r.seconds = std::chrono::duration<double>(clock::now() - from).count();
  r.cpu_seconds = cpu_now() - cpu;
  r.bytes = reader->bytes();
  return r;
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

using writer = void (*)(rows&, random_stream&);

const std::map<std::string, writer> writers = {{"tr", write_tr},
                                               {"google2011", write_google},
                                               {"alibaba2018", write_alibaba},
                                               {"swf", write_swf}};

nlohmann::ordered_json measure(const std::string& format, std::uint64_t megabytes) {
  const auto path =
    fs::temp_directory_path() / ("troupe-trace-bench-" + std::to_string(::getpid()) + "-" + format);
  {
    rows out{path, megabytes * 1'000'000};
    auto random = random_stream::derive(1, "trace", 0);
    writers.at(format)(out, random);
  }
  const auto r = read(path.string());
  fs::remove(path);
  const auto mb = static_cast<double>(r.bytes) / 1e6;
  std::printf("%-12s %8.0f MB in %6.2f s, %6.2f s of the processor: %5.0f MB/s, peak memory %4.0f "
              "MB; %llu jobs, %llu tasks\n",
              format.c_str(), mb, r.seconds, r.cpu_seconds, mb / r.cpu_seconds,
              static_cast<double>(peak_memory()) / 1e6, static_cast<unsigned long long>(r.jobs),
              static_cast<unsigned long long>(r.tasks));
  return {{"format", format},
          {"bytes", r.bytes},
          {"seconds", r.seconds},
          {"cpu_seconds", r.cpu_seconds},
          {"megabytes_per_cpu_second", mb / r.cpu_seconds},
          {"peak_memory_bytes", peak_memory()},
          {"jobs", r.jobs},
          {"tasks", r.tasks}};
}

int run(int argc, char** argv) {
  CLI::App app{"How fast traces are read, and in how much memory"};
  std::string out;
  std::vector<std::string> formats{"tr", "google2011", "alibaba2018", "swf"};
  std::uint64_t megabytes = 200;
  app.add_option("--out", out, "Directory for traces.json");
  app.add_option("--format", formats, "Only these")->check(CLI::IsMember(writers));
  app.add_option("--megabytes", megabytes, "How large the files are")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  nlohmann::ordered_json all;
  for (const auto& format : formats)
    all.push_back(measure(format, megabytes));
  if (!out.empty()) {
    fs::create_directories(out);
    std::ofstream{fs::path{out} / "traces.json"} << all.dump(2) << '\n';
  }
  return 0;
}

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  return troupe::bench::run(argc, argv);
}
