#include "report/page/html.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe;

TEST_CASE("text that looks like HTML stays text") {
  CHECK(escaped("</script> & \"a\" 'b' \xc3\xa9") ==
        "&lt;/script&gt; &amp; &quot;a&quot; &#39;b&#39; \xc3\xa9");
  const auto html = to_html({"<b>", {"<i>"}, {{"</td>", "\"x\""}}});
  for (const char* tag : {"<b>", "<i>", "</td></th>"})
    CHECK(html.find(tag) == std::string::npos);
}

TEST_CASE("JSON in a script does not end it, and reads back the same") {
  const nlohmann::ordered_json value{{"name", "</script><!-- \" \xc3\xa9"}};
  const auto text = script_json(value);
  CHECK(text.find('<') == std::string::npos);
  CHECK(nlohmann::ordered_json::parse(text) == value);
}

TEST_CASE("bytes that are no UTF-8 do not stop a page") {
  CHECK_NOTHROW(script_json({{"name", "\xff\xfe"}}));
}
