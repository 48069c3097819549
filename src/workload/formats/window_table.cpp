#include "workload/formats/window_table.hpp"

#include "workload/formats/row_fields.hpp"
#include "workload/traces/longest_time.hpp"
#include "workload/traces/text_reader.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace troupe {

namespace {

constexpr std::array<std::string_view, 8> window_columns{
  "start_s", "end_s", "start", "end", "machines", "partitions", "count", "tenant"};
enum window_column : std::size_t {
  start_column,
  end_column,
  start_utc_column,
  end_utc_column,
  machine_column,
  partition_column,
  count_column,
  tenant_column
};

constexpr const char* all_columns = "start_s,end_s,machines,partitions,count,tenant";

constexpr std::uint32_t most_machines = 10'000'000;

using number_ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Returns the time that a text such as "2026-12-01T08:00:00Z" names, since 1970, or nothing.
std::optional<instant> to_utc(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != shape.size())
    return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i])
      return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t digits) {
    return *to_integer<std::uint32_t>(text.substr(from, digits));
  };
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(number(0, 4))},
                                         std::chrono::month{number(5, 2)},
                                         std::chrono::day{number(8, 2)}};
  const auto hour = number(11, 2);
  const auto minute = number(14, 2);
  const auto second = number(17, 2);
  if (!date.ok() || date.year() < std::chrono::year{1970} ||
      date.year() > std::chrono::year{2200} || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hour} +
         std::chrono::minutes{minute} + std::chrono::seconds{second};
}

/// Returns the numbers that a text such as "0-63 70" names, or nothing.
std::optional<number_ranges> to_ranges(std::string_view text) {
  number_ranges all;
  for (auto field = take_field(text); !field.empty(); field = take_field(text)) {
    const auto dash = field.find('-');
    const auto first = to_integer<std::uint32_t>(field.substr(0, dash));
    const auto last =
      dash == std::string_view::npos ? first : to_integer<std::uint32_t>(field.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= most_machines)
      return std::nullopt;
    all.emplace_back(*first, *last);
  }
  return all;
}

class window_reader {
public:
  explicit window_reader(const std::string& path) : text_(path) {}

  std::vector<window_row> read() {
    bool begun = false;
    while (const auto line = text_.next()) {
      const auto row = trimmed(*line);
      if (row.empty() || row.front() == '#')
        continue;
      fields_.resize(split(row, ',', {}));
      split(row, ',', fields_);
      for (auto& f : fields_)
        f = trimmed(f);
      if (std::exchange(begun, true))
        read_row();
      else
        read_header();
    }
    if (!begun)
      throw std::runtime_error{text_.path() + ": no header; expected one such as " + all_columns};
    return std::move(rows_);
  }

private:
  std::string at() const { return text_.path() + ":" + std::to_string(text_.line()); }

  [[noreturn]] void fail(const std::string& is, const std::string& expected) const {
    throw std::runtime_error{at() + ": " + is + "; expected " + expected};
  }

  void read_header() {
    place_.fill(missing);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto known = std::ranges::find(window_columns, fields_[i]);
      if (known == window_columns.end())
        fail("a column " + quote(fields_[i]), std::string{"columns among "} + all_columns);
      auto& place = place_[static_cast<std::size_t>(known - window_columns.begin())];
      if (place != missing)
        fail("two columns " + quote(fields_[i]), "one");
      place = i;
    }
    utc_ = place_[start_utc_column] != missing || place_[end_utc_column] != missing;
    for (const auto c : {begins(), ends()})
      if (place_[c] == missing)
        fail("no column " + std::string{window_columns[c]},
             std::string{"a header such as "} + all_columns);
    for (const auto c : {start_column, end_column})
      if (utc_ && place_[c] != missing)
        fail("a column " + quote(window_columns[c]) + " beside those of times in UTC",
             "start and end, or start_s and end_s");
    width_ = fields_.size();
  }

  std::string_view field(window_column c) const {
    return place_[c] == missing ? std::string_view{} : fields_[place_[c]];
  }

  window_column begins() const { return utc_ ? start_utc_column : start_column; }
  window_column ends() const { return utc_ ? end_utc_column : end_column; }

  instant time(window_column c) const {
    if (utc_) {
      const auto at = to_utc(field(c));
      if (!at)
        fail(std::string{window_columns[c]} + ' ' + quote(field(c)),
             "a time in UTC such as 2026-12-01T08:00:00Z");
      return *at;
    }
    const auto seconds = to_number(field(c));
    if (!seconds || *seconds < 0 || *seconds > longest_seconds)
      fail(std::string{window_columns[c]} + ' ' + quote(field(c)),
           "seconds since the start of the run, 0 .. 1000000000");
    return from_seconds(*seconds);
  }

  number_ranges numbers(window_column c) const {
    const auto all = to_ranges(field(c));
    if (!all)
      fail(std::string{window_columns[c]} + ' ' + quote(field(c)),
           "numbers from 0 on and ranges of them, with spaces between, as in 0-63 70");
    return *all;
  }

  void read_row() {
    if (fields_.size() != width_)
      fail("a row of " + std::to_string(fields_.size()) + " fields",
           std::to_string(width_) + ", as in the header");
    window_row row{at(),
                   time(begins()),
                   time(ends()),
                   utc_,
                   numbers(machine_column),
                   numbers(partition_column),
                   0,
                   std::string{field(tenant_column)}};
    if (row.to <= row.from)
      fail(std::string{window_columns[ends()]} + ' ' + quote(field(ends())),
           "a time after " + std::string{window_columns[begins()]} + ", " +
             std::string{field(begins())});
    if (!field(count_column).empty()) {
      const auto n = to_integer<std::uint32_t>(field(count_column));
      if (!n || *n == 0 || *n > most_machines)
        fail("count " + quote(field(count_column)), "a number of machines, at least 1");
      row.count = *n;
    }
    const auto ways =
      int{!row.machines.empty()} + int{!row.partitions.empty()} + int{row.count > 0};
    if (ways != 1)
      fail(ways == 0 ? "no machines" : "machines that are named in several ways",
           "one of the columns machines, partitions and count in each row");
    rows_.push_back(std::move(row));
  }

  static constexpr auto missing = ~std::size_t{0};

  text_reader text_;
  std::vector<std::string_view> fields_; ///< of the latest row
  std::array<std::size_t, window_columns.size()> place_{};
  std::size_t width_ = 0;
  bool utc_ = false;
  std::vector<window_row> rows_;
};

} // namespace

std::vector<window_row> read_windows(const std::string& path) {
  return window_reader{path}.read();
}

} // namespace troupe
