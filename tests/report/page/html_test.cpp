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

TEST_CASE("numbers in a table of texts are aligned to the right, and nothing else") {
  const auto html = to_html({"",
                             {"name", "tasks", "wait", "what", "share", "why"},
                             {{"1", "1,000", "7.63 s", "5 of 5", "0.3 %", ""},
                              {"2", "20", "-", "30 s later", "\u2265 5 %", "-"}},
                             true});
  for (const char* cell : {"tasks", "wait", "share"})
    CHECK(html.find("<th scope=\"col\" class=\"amount\">" + std::string(cell)) !=
          std::string::npos);
  for (const char* cell : {"name", "what", "why"})
    CHECK(html.find("<th scope=\"col\">" + std::string(cell)) != std::string::npos);
  CHECK(html.find("<td class=\"amount\">7.63 s</td>") != std::string::npos);
  CHECK(html.find("<td>5 of 5</td>") != std::string::npos);
  CHECK(to_html({"", {"a", "b"}, {{"1", "2"}}}).find("amount") == std::string::npos);
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
