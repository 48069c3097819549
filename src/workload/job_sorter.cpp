#include "workload/job_sorter.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::size_t file_buffer = 256 * 1024;

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error{std::string{"sorting the trace: a temporary file cannot be "} + what +
                           ": " + std::strerror(errno)};
}

void write(std::FILE* to, const void* data, std::size_t n) {
  if (::fwrite_unlocked(data, n, 1, to) != 1)
    fail("written");
}

} // namespace

void job_sorter::add(const trace_job& job) {
  const auto at = bytes_.size();
  bytes_.resize(at + sizeof(std::uint32_t));
  append_bytes(bytes_, job);
  const auto size = static_cast<std::uint32_t>(bytes_.size() - at - sizeof(std::uint32_t));
  std::memcpy(bytes_.data() + at, &size, sizeof size);
  entries_.push_back({job.submitted, at, size});
  if (bytes_.size() + entries_.size() * sizeof(entry) >= memory_)
    spill();
}

void job_sorter::sort_entries() {
  std::ranges::stable_sort(entries_, {}, &entry::submitted);
}

void job_sorter::spill() {
  sort_entries();
  run written{std::unique_ptr<std::FILE, close_file>{std::tmpfile()}, instant{0}, {}};
  auto* file = written.file.get();
  if (file == nullptr)
    fail("made");
  std::setvbuf(file, nullptr, _IOFBF, file_buffer);
  for (const auto& e : entries_)
    write(file, bytes_.data() + e.at, sizeof(std::uint32_t) + e.size);
  if (std::fflush(file) != 0)
    fail("written");
  std::rewind(file);
  runs_.push_back(std::move(written));
  entries_.clear();
  bytes_.clear();
}

bool job_sorter::advance(run& from) {
  auto* file = from.file.get();
  std::uint32_t size = 0;
  if (::fread_unlocked(&size, sizeof size, 1, file) != 1)
    return false;
  from.front.resize(size);
  if (::fread_unlocked(from.front.data(), size, 1, file) != 1)
    fail("read");
  std::memcpy(&from.submitted, from.front.data(), sizeof from.submitted); // the first of its bytes
  return true;
}

bool job_sorter::goes_after(std::size_t a, std::size_t b) const {
  return runs_[a].submitted != runs_[b].submitted ? runs_[a].submitted > runs_[b].submitted : a > b;
}

void job_sorter::begin_merge() {
  merging_ = true;
  if (runs_.empty()) {
    sort_entries();
    return;
  }
  if (!entries_.empty())
    spill();
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if (advance(runs_[i]))
      heap_.push_back(i);
  std::ranges::make_heap(heap_, [this](auto a, auto b) { return goes_after(a, b); });
}

bool job_sorter::next(trace_job& job) {
  if (!merging_)
    begin_merge();
  if (runs_.empty()) {
    if (given_ == entries_.size())
      return false;
    const auto& e = entries_[given_++];
    auto bytes = std::string_view{bytes_}.substr(e.at + sizeof(std::uint32_t), e.size);
    take_bytes(bytes, job);
    return true;
  }
  if (heap_.empty())
    return false;
  const auto after = [this](auto a, auto b) { return goes_after(a, b); };
  std::ranges::pop_heap(heap_, after);
  auto& from = runs_[heap_.back()];
  std::string_view bytes{from.front};
  take_bytes(bytes, job);
  if (advance(from))
    std::ranges::push_heap(heap_, after);
  else
    heap_.pop_back();
  return true;
}

} // namespace troupe
