// JSON with comments: accepted and refused texts, and the positions of errors.
#include "panta/json/json.h"

#include <gtest/gtest.h>

#include <ostream>

#include "panta/core/error.h"

namespace panta {
namespace {

std::string parse_error(const std::string& text) {
  try {
    json::parse(text, "f.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Json, ReadsEveryType) {
  const json::Value v = json::parse(
      R"({"a": null, "b": true, "c": -1.5e3, "d": "x", "e": [1, 2], "f": {}})", "f.json");
  ASSERT_EQ(v.type, json::Type::object);
  EXPECT_EQ(v.find("a")->type, json::Type::null);
  EXPECT_TRUE(v.find("b")->boolean);
  EXPECT_EQ(v.find("c")->number, -1500);
  EXPECT_EQ(v.find("d")->string, "x");
  EXPECT_EQ(v.find("e")->items.at(1).number, 2);
  EXPECT_TRUE(v.find("f")->empty());
  EXPECT_EQ(v.find("g"), nullptr);
}

TEST(Json, SkipsCommentsAndByteOrderMark) {
  const json::Value v =
      json::parse("\xEF\xBB\xBF// one\n/* two\n */ {\"a\": /**/ 1 // end\n}", "f");
  EXPECT_EQ(v.find("a")->number, 1);
  EXPECT_EQ(v.find("a")->place.line, 3);
}

TEST(Json, StoresPositionsOfKeysAndValues) {
  const json::Value v = json::parse("{\n  \"\u00e4\": [1,\n 2], \"b\": 3\n}", "f.json");
  EXPECT_EQ(v.members[0].place.text(), "f.json:2:3");
  EXPECT_EQ(v.members[0].value.place.text(), "f.json:2:8");  // columns count characters
  EXPECT_EQ(v.members[0].value.items[1].place.text(), "f.json:3:2");
  EXPECT_EQ(v.members[1].place.text(), "f.json:3:6");
}

TEST(Json, DecodesEscapes) {
  const json::Value v = json::parse(R"(["\"\\\/\b\f\n\r\t", "\u00e9\u20ac", "\ud83d\ude00"])", "f");
  EXPECT_EQ(v.items[0].string, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(v.items[1].string, "\u00e9\u20ac");
  EXPECT_EQ(v.items[2].string, "\U0001F600");
}

TEST(Json, RoundTrips) {
  const std::string text =
      R"({"a": [1, 0.1, -2e-7, 1e+30], "b": {"c": "q\"\n\u0001", "d": [[], {}]}, "e": null, "f": false})";
  const json::Value v = json::parse(text, "f");
  const std::string dumped = json::dump(v);
  EXPECT_EQ(json::dump(json::parse(dumped, "g")), dumped);
  EXPECT_EQ(json::parse(dumped, "g").find("a")->items[1].number, 0.1);
  EXPECT_NE(dumped.find("\n  \"b\": {"), std::string::npos) << dumped;
}

struct Fault {
  const char* name;
  std::string text;
  const char* message;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class JsonFault : public testing::TestWithParam<Fault> {};

TEST_P(JsonFault, IsReportedAtItsPosition) {
  EXPECT_NE(parse_error(GetParam().text).find(GetParam().message), std::string::npos)
      << parse_error(GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonFault,
    testing::Values(
        Fault{"empty", "", "f.json:1:1: expected a value, got end of the text"},
        Fault{"trailing_comma", "{\"a\": 1,\n}", "f.json:1:8: a comma before '}'"},
        Fault{"missing_comma", "[1\n 2]", "f.json:2:2: expected ',' or ']', got '2'"},
        Fault{"missing_colon", "{\"a\" 1}", "f.json:1:6: expected ':' after \"a\""},
        Fault{"bare_key", "{a: 1}", "f.json:1:2: expected a key in double quotes, got 'a'"},
        Fault{"duplicate", "{\"a\": 1,\n\"a\": 2}",
              "f.json:2:1: 'a' is given twice, first on line 1"},
        Fault{"unclosed_object", "{\"a\": 1", "f.json:1:1: '{' is never closed"},
        Fault{"unclosed_list", "{\n\"a\": [1,", "f.json:2:6: '[' is never closed"},
        Fault{"unclosed_text", "[\"abc\n\"]", "f.json:1:2: text without a closing quote"},
        Fault{"unclosed_comment", "[1] /* x", "f.json:1:5: comment without an end"},
        Fault{"more_after_end", "{} {}", "f.json:1:4: unexpected '{' after the end"},
        Fault{"word", "[nul]", "f.json:1:2: expected a value, got 'n'"},
        Fault{"not_a_number", "[NaN]", "f.json:1:2: expected a value, got 'N'"},
        Fault{"leading_zero", "[01]", "f.json:1:2: a number must not start with 0"},
        Fault{"no_fraction", "[1.]", "f.json:1:2: digits are missing"},
        Fault{"no_exponent", "[1e+]", "f.json:1:2: digits are missing in the exponent"},
        Fault{"overflow", "[1e999]", "f.json:1:2: number out of range"},
        Fault{"escape", R"(["\x"])", "f.json:1:3: unknown escape"},
        Fault{"short_unicode", R"(["\u12"])", "f.json:1:3: \\u needs four"},
        Fault{"lone_surrogate", R"(["\ud83d"])", "f.json:1:3: half of a surrogate pair"},
        Fault{"control", "[\"a\tb\"]", "f.json:1:4: control character"},
        Fault{"utf8", "[\"\xC3(\"]", "f.json:1:3: the text is not valid UTF-8"},
        Fault{"overlong_utf8", "[\"\xC0\x80\"]", "not valid UTF-8"},
        Fault{"cut_utf8", "[\"\xE2\x82", "not valid UTF-8"},
        Fault{"deep", std::string(100, '['), "nested deeper than 64"},
        Fault{"null_byte", std::string("[1,\0 2]", 7), "expected a value, got control character"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace panta
