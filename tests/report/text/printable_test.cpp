#include "report/text/printable.hpp"

#include <doctest/doctest.h>

using troupe::printable;
using troupe::printable_lines;

TEST_CASE("text that is harmless stays as it is") {
  CHECK(printable("") == "");
  CHECK(printable("node-1 at 10.0.0.1:7400, 3 °C, 機械, \U0001F600 \\n") ==
        "node-1 at 10.0.0.1:7400, 3 °C, 機械, \U0001F600 \\n");
}

TEST_CASE("what could forge a line or steer a terminal is escaped") {
  CHECK(printable("a\n12:00:00 error b\r\tc") == "a\\n12:00:00 error b\\r\\tc");
  CHECK(printable("\x1b[2J\x7f") == "\\x1b[2J\\x7f");
  CHECK(printable(std::string("\0x", 2)) == "\\x00x");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\x9b31m"); // CSI as one character
  CHECK(printable("\xE2\x80\xAEtxt.exe") == "\\u202etxt.exe");
}

TEST_CASE("bytes that are no UTF-8 are escaped one by one") {
  CHECK(printable("\xFF\xC3") == "\\xff\\xc3");
  CHECK(printable("\xC0\x8A") == "\\xc0\\x8a");          // a newline, two bytes long
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80"); // half of a pair
  CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(printable("\xE2\x80") == "\\xe2\\x80");
}

TEST_CASE("what is long is cut") {
  CHECK(printable("abcdef", 4) == "abcd... (2 more bytes)");
  CHECK(printable("abcd", 4) == "abcd");
}

TEST_CASE("messages may have several lines") {
  CHECK(printable_lines("a\nb\x1b") == "a\nb\\x1b");
}
