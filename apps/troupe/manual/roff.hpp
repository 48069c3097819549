#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Writes a manual page in the macros of man(7). Texts are plain: what roff would take for markup
/// is shown as it is.
class roff_page {
public:
  /// `title` is that of the page, "troupe-run"; `version` is shown at the bottom.
  roff_page(std::string_view title, std::string_view version);

  void section(std::string_view title);

  /// Writes a paragraph, filled to the width of the page.
  void paragraph(std::string_view text);

  /// Writes lines as they are, in a fixed font.
  void example(std::string_view lines);

  /// Writes an entry: its head, in roff, then its meaning, indented.
  void entry(std::string_view head, std::string_view meaning);

  /// Writes a line of roff.
  void line(std::string_view roff);

  const std::string& text() const { return text_; }

private:
  void begin_paragraph();

  std::string text_;
  bool begins_section_ = false; ///< a paragraph there needs no request
};

/// Returns `text` with everything escaped that roff would take for markup.
std::string roff_text(std::string_view text);

/// Returns `text`, escaped, in bold; or in italics, as names of values are set.
std::string roff_bold(std::string_view text);
std::string roff_italic(std::string_view text);

} // namespace troupe
