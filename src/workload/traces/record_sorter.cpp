#include "workload/traces/record_sorter.hpp"

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
  if (n > 0 && ::fwrite_unlocked(data, n, 1, to) != 1)
    fail("written");
}

void read(std::FILE* from, void* data, std::size_t n) {
  if (n > 0 && ::fread_unlocked(data, n, 1, from) != 1)
    fail("read");
}

} // namespace

void record_sorter::add(std::int64_t key, std::string_view record) {
  entries_.push_back({key, bytes_.size(), static_cast<std::uint32_t>(record.size())});
  bytes_ += record;
  if (bytes_.size() + entries_.size() * sizeof(entry) >= memory_)
    spill();
}

void record_sorter::sort_entries() {
  std::ranges::stable_sort(entries_, {}, &entry::key);
}

void record_sorter::spill() {
  sort_entries();
  run written{std::unique_ptr<std::FILE, close_file>{std::tmpfile()}, 0, {}};
  auto* file = written.file.get();
  if (file == nullptr)
    fail("made");
  std::setvbuf(file, nullptr, _IOFBF, file_buffer);
  for (const auto& e : entries_) {
    write(file, &e.key, sizeof e.key);
    write(file, &e.size, sizeof e.size);
    write(file, bytes_.data() + e.at, e.size);
  }
  if (std::fflush(file) != 0)
    fail("written");
  std::rewind(file);
  runs_.push_back(std::move(written));
  entries_.clear();
  bytes_.clear();
}

bool record_sorter::advance(run& from) {
  auto* file = from.file.get();
  if (::fread_unlocked(&from.key, sizeof from.key, 1, file) != 1)
    return false;
  std::uint32_t size = 0;
  read(file, &size, sizeof size);
  from.front.resize(size);
  read(file, from.front.data(), size);
  return true;
}

bool record_sorter::goes_after(std::size_t a, std::size_t b) const {
  return runs_[a].key != runs_[b].key ? runs_[a].key > runs_[b].key : a > b;
}

void record_sorter::begin_merge() {
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

bool record_sorter::next() {
  if (!merging_)
    begin_merge();
  if (runs_.empty()) {
    if (given_ == entries_.size())
      return false;
    const auto& e = entries_[given_++];
    key_ = e.key;
    record_ = std::string_view{bytes_}.substr(e.at, e.size);
    return true;
  }
  if (heap_.empty())
    return false;
  const auto after = [this](auto a, auto b) { return goes_after(a, b); };
  std::ranges::pop_heap(heap_, after);
  auto& from = runs_[heap_.back()];
  key_ = from.key;
  taken_.swap(from.front);
  record_ = taken_;
  if (advance(from))
    std::ranges::push_heap(heap_, after);
  else
    heap_.pop_back();
  return true;
}

} // namespace troupe
