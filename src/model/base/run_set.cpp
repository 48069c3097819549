#include "model/base/run_set.hpp"

namespace troupe {

void run_set::insert(run_number run) {
  const auto word = run / bits;
  if (word < first_)
    return;
  if (word - first_ >= words_.size())
    words_.resize(word - first_ + 1);
  words_[word - first_] |= std::uint64_t{1} << (run % bits);
  while (!words_.empty() && words_.front() == ~std::uint64_t{0}) {
    words_.pop_front();
    ++first_;
  }
}

} // namespace troupe
