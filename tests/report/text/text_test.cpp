#include "report/text/text.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace troupe;

TEST_CASE("counts have thousands separators until they would be too wide") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1'000) == "1,000");
  CHECK(count_text(8'520'000) == "8,520,000");
  CHECK(count_text(999'999'999) == "999,999,999");
  CHECK(count_text(1'234'567'890) == "1.23G");
  CHECK(count_text(std::numeric_limits<std::uint64_t>::max()).size() <= 11);
}

TEST_CASE("compact numbers have three digits") {
  CHECK(compact_text(0) == "0");
  CHECK(compact_text(1.5) == "1.50");
  CHECK(compact_text(999) == "999");
  CHECK(compact_text(999.9) == "1.00k");
  CHECK(compact_text(999'999) == "1.00M");
  CHECK(compact_text(12'345) == "12.3k");
  CHECK(compact_text(0.0123) == "0.0123");
  CHECK(compact_text(0.1) == "0.100");
  CHECK(compact_text(-1'500) == "-1.50k");
  CHECK(compact_text(1e300) == "1.00e+285P");
}

TEST_CASE("plain numbers have three digits") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(2) == "2.00");
  CHECK(number_text(-0.81649) == "-0.816");
  CHECK(number_text(99.96) == "100");
  CHECK(number_text(1e6) == "1.00e+06");
}

TEST_CASE("times have the unit that suits them") {
  CHECK(seconds_text(0) == "0 s");
  CHECK(seconds_text(5e-9) == "5.00 ns");
  CHECK(seconds_text(0.00085) == "850 us");
  CHECK(seconds_text(0.0034) == "3.40 ms");
  CHECK(seconds_text(0.9999) == "1.00 s");
  CHECK(seconds_text(0.000999999) == "1.00 ms");
  CHECK(seconds_text(9.999) == "10.0 s");
  CHECK(seconds_text(300) == "300 s");
  CHECK(seconds_text(999.4) == "999 s");
  CHECK(seconds_text(1'000) == "16.7 min");
  CHECK(seconds_text(10'000) == "2.78 h");
  CHECK(seconds_text(-0.5) == "-500 ms");
}

TEST_CASE("shares in percent") {
  CHECK(percent_text(0) == "0 %");
  CHECK(percent_text(0.6667) == "66.7 %");
  CHECK(percent_text(1.45) == "145 %");
  CHECK(percent_text(1e-7) == "1.00e-05 %");
}

TEST_CASE("cutting text to a width counts letters, not bytes, and lets no control through") {
  CHECK(fit("abc", 3) == "abc");
  CHECK(fit("abcd", 3) == "ab~");
  CHECK(fit("äöü", 3) == "äöü");
  CHECK(fit("äöüß", 3) == "äö~");
  CHECK(fit("a\x1b[2Jb\n", 10) == "a?[2Jb?");
  CHECK(fit("abc", 0) == "");
  CHECK(columns("äöü") == 3);
}

TEST_CASE("wrapping breaks at spaces, and long words where it must") {
  using lines = std::vector<std::string>;
  CHECK(wrap("", 5) == lines{""});
  CHECK(wrap("one two", 7) == lines{"one two"});
  CHECK(wrap("one two three", 7) == lines{"one two", "three"});
  CHECK(wrap("one two three", 8) == lines{"one two", "three"});
  CHECK(wrap("abcdefghij kl", 4) == lines{"abcd", "efgh", "ij", "kl"});
  CHECK(wrap("ääää öö", 4) == lines{"ääää", "öö"});
}
