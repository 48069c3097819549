#include "workload/traces/trace_tally.hpp"

#include <stdexcept>

namespace troupe {

namespace {

constexpr std::uint64_t rows_before_judgement = 1000;
constexpr std::uint64_t tolerated_one_in = 100;

} // namespace

void trace_tally::skip(std::string_view reason, std::uint64_t n) {
  if (n == 0)
    return;
  const auto it = skipped_.find(reason);
  if (it == skipped_.end())
    skipped_.emplace(reason, n);
  else
    it->second += n;
}

bool trace_tally::malformed(const std::string& path, std::uint64_t line, std::string_view reason,
                            const std::string& detail) {
  skip(reason);
  ++malformed_;
  if (malformed_ == 1)
    first_malformed_ = path + ":" + std::to_string(line) + ": " + detail;
  if (rows_ >= rows_before_judgement)
    refuse_if_mostly_malformed();
  return false;
}

void trace_tally::refuse_if_mostly_malformed() const {
  if (malformed_ * tolerated_one_in <= rows_)
    return;
  throw std::runtime_error{first_malformed_ + "; " + row_format_ + " (" +
                           std::to_string(malformed_) + " of the first " + std::to_string(rows_) +
                           " rows are malformed; 1 in 100 may be)"};
}

void trace_tally::check_end(const std::string& path) const {
  if (rows_ == 0)
    throw std::runtime_error{path + ": the file holds no rows; " + row_format_};
  refuse_if_mostly_malformed();
}

} // namespace troupe
