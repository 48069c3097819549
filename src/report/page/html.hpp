#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns `text` for the content of an element or for a quoted attribute.
std::string escaped(std::string_view text);

/// Returns the text of JSON for a `<script>` element: every "<" is written as "\u003c", so that no
/// name ends the element, and bytes that are no UTF-8 are replaced.
std::string script_json(const nlohmann::ordered_json& value);

/// A table of texts, whose first column names the rows.
struct html_table {
  std::string caption{};
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};
  /// Whether the other columns hold texts, which are aligned to the left; else numbers. A column
  /// that has only numbers with their units is aligned to the right in any case.
  bool of_texts = false;
};

/// Renders a table that scrolls by itself if it is wider than the page.
std::string to_html(const html_table& table);

/// Renders a table, or another part of the page, that the reader opens by a click on `title`.
/// If `open`, it is shown at first.
std::string folded(std::string_view title, std::string_view html, bool open = false);

} // namespace troupe
