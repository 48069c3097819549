#include "workload/traces/text_files.hpp"

namespace troupe {

text_files::text_files(std::vector<std::string> paths)
  : paths_(std::move(paths)), open_(std::make_unique<text_reader>(paths_.front())) {}

std::optional<std::string_view> text_files::next() {
  for (;;) {
    if (const auto line = open_->next())
      return line;
    if (at_ + 1 == paths_.size())
      return std::nullopt;
    bytes_before_ += open_->bytes();
    open_ = std::make_unique<text_reader>(paths_[++at_]);
  }
}

} // namespace troupe
