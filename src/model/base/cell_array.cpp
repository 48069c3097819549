#include "model/base/cell_array.hpp"

#include "model/base/spare_buffers.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Returns whether all numbers fit into a byte. Looks at all of them, many at a time.
bool all_small(const std::int32_t* from, std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i)
    bits |= static_cast<std::uint32_t>(from[i]) + 128U;
  return bits < 256;
}

} // namespace

cell_array::cell_array(const std::vector<std::int32_t>& values) {
  append(values.data(), values.size());
}

cell_array::cell_array(std::initializer_list<std::int32_t> values) {
  append(values.begin(), values.size());
}

void cell_array::append(const std::int32_t* from, std::size_t count) {
  if (!all_small(from, count))
    widen();
  if (wide_) {
    words_.insert(words_.end(), from, from + count);
    return;
  }
  const auto before = bytes_.size();
  bytes_.resize(before + count);
  std::transform(from, from + count, bytes_.begin() + static_cast<std::ptrdiff_t>(before),
                 [](std::int32_t value) { return static_cast<std::int8_t>(value); });
}

void cell_array::widen_all() {
  words_.assign(bytes_.begin(), bytes_.end());
  bytes_ = {};
  wide_ = true;
}

std::vector<std::int32_t> cell_array::values() const {
  return look(
    [n = size()](const auto* first) { return std::vector<std::int32_t>(first, first + n); });
}

cell_array cell_array::copy() const {
  cell_array to;
  to.wide_ = wide_;
  if (wide_)
    to.words_ = spare_buffers<std::int32_t>::copy(words_);
  else
    to.bytes_ = spare_buffers<std::int8_t>::copy(bytes_);
  return to;
}

void cell_array::recycle(cell_array&& used) {
  spare_buffers<std::int8_t>::give(std::move(used.bytes_));
  spare_buffers<std::int32_t>::give(std::move(used.words_));
  used = {};
}

} // namespace troupe
