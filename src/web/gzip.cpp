#include "web/gzip.hpp"

#include <algorithm>
#include <cctype>
#include <libdeflate.h>
#include <memory>

namespace troupe {

std::string gzip_text(std::string_view text, gzip_effort effort) {
  using compressor =
    std::unique_ptr<libdeflate_compressor, decltype([](libdeflate_compressor* made) {
                      libdeflate_free_compressor(made);
                    })>;
  const compressor made{libdeflate_alloc_compressor(static_cast<int>(effort))};
  if (!made)
    return {};
  std::string out(text.size(), '\0');
  out.resize(
    libdeflate_gzip_compress(made.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  std::string text;
  for (const char c : accept_encoding)
    if (c != ' ' && c != '\t')
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const auto coding = std::string_view{text}.substr(at, end - at);
    const auto name = coding.substr(0, coding.find(';'));
    if (name == "gzip" || name == "*") {
      const auto q = coding.find(";q=");
      return q == std::string_view::npos ||
             coding.substr(q + 3).find_first_of("123456789") != std::string_view::npos;
    }
    at = end + 1;
  }
  return false;
}

} // namespace troupe
