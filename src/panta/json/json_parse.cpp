// Reader for JSON (RFC 8259) with comments: recursive descent over the text, strict about
// everything else, so that typing errors are reported at their own position.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <system_error>

#include "panta/core/error_format.h"
#include "panta/json/json.h"

namespace panta::json {
namespace {

constexpr std::size_t valid_text = std::string_view::npos;

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Length of the UTF-8 sequence at `at`, 0 if it is malformed, overlong, a surrogate or out of
// range.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if (!is_continuation(static_cast<unsigned char>(byte(k)))) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

std::size_t first_invalid_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return valid_text;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& source)
      : text_(text), source_(std::make_shared<const std::string>(source)) {}

  Value document() {
    if (const std::size_t bad = first_invalid_byte(text_); bad != valid_text)
      fail(bad, "the text is not valid UTF-8");
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    skip_blank();
    Value root = value(0);
    skip_blank();
    if (!done()) fail(at_, fmt::format("unexpected {} after the end of the value", here()));
    return root;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }

  // The character at the cursor, for messages: one complete UTF-8 character.
  std::string here() const {
    if (done()) return "end of the text";
    if (static_cast<unsigned char>(peek()) < 0x20) return "control character";
    return fmt::format("'{}'", text_.substr(at_, utf8_length(text_, at_)));
  }

  // Columns count characters, not bytes.
  static void count(Place& place, char c) {
    if (c == '\n')
      ++place.line, place.column = 1;
    else if (!is_continuation(static_cast<unsigned char>(c)))
      ++place.column;
  }

  Place place(std::size_t offset) const {
    Place result{source_, 1, 1};
    for (const char c : text_.substr(0, offset)) count(result, c);
    return result;
  }

  // The position of the cursor, counted from the last call, so that reading takes linear time.
  Place mark() {
    for (; marked_ < at_; ++marked_) count(mark_, text_[marked_]);
    return mark_;
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    throw Error(ErrorKind::usage, "{}: {}", place(offset).text(), message);
  }

  void skip_blank() {
    while (!done()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        while (!done() && peek() != '\n') ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail(at_, "comment without an end");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  Value value(int depth) {
    if (depth > max_depth) fail(at_, fmt::format("nested deeper than {} levels", max_depth));
    const Place start = mark();
    Value result = value_at(depth);
    result.place = start;
    return result;
  }

  Value value_at(int depth) {
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return Value(string());
      case 't':
        return literal("true", Value(true));
      case 'f':
        return literal("false", Value(false));
      case 'n':
        return literal("null", Value());
      default:
        return number();
    }
  }

  Value literal(std::string_view word, Value result) {
    if (text_.substr(at_, word.size()) != word)
      fail(at_, fmt::format("expected a value, got {}", here()));
    at_ += word.size();
    return result;
  }

  // Steps over a comma to the next entry (true) or over the closing bracket (false).
  bool next_entry(std::size_t open, char close) {
    skip_blank();
    if (peek() == close) return ++at_, false;
    if (done()) fail(open, fmt::format("'{}' is never closed", text_[open]));
    if (peek() != ',') fail(at_, fmt::format("expected ',' or '{}', got {}", close, here()));
    const std::size_t comma = at_++;
    skip_blank();
    if (peek() == close) fail(comma, fmt::format("a comma before '{}' is not allowed", close));
    return true;
  }

  bool opens_empty(char close) {
    ++at_;
    skip_blank();
    if (peek() != close) return false;
    ++at_;
    return true;
  }

  Value array(int depth) {
    const std::size_t open = at_;
    Value result = Value::array({});
    if (opens_empty(']')) return result;
    do {
      if (done()) fail(open, "'[' is never closed");
      result.items.push_back(value(depth + 1));
    } while (next_entry(open, ']'));
    return result;
  }

  Value object(int depth) {
    const std::size_t open = at_;
    Value result = Value::object();
    if (opens_empty('}')) return result;
    do {
      if (done()) fail(open, "'{' is never closed");
      result.members.push_back(member(result, depth));
    } while (next_entry(open, '}'));
    return result;
  }

  Member member(const Value& owner, int depth) {
    if (peek() != '"') fail(at_, fmt::format("expected a key in double quotes, got {}", here()));
    const std::size_t start = at_;
    Member result;
    result.place = mark();
    result.key = string();
    for (const Member& other : owner.members)
      if (other.key == result.key)
        fail(start,
             fmt::format("'{}' is given twice, first on line {}", result.key, other.place.line));
    skip_blank();
    if (peek() != ':')
      fail(at_, fmt::format("expected ':' after \"{}\", got {}", result.key, here()));
    ++at_;
    skip_blank();
    result.value = value(depth + 1);
    return result;
  }

  std::string string() {
    const std::size_t open = at_++;
    std::string out;
    for (;;) {
      if (done() || peek() == '\n') fail(open, "text without a closing quote");
      const char c = text_[at_];
      if (c == '"') return ++at_, out;
      if (static_cast<unsigned char>(c) < 0x20) fail(at_, "control character inside text");
      if (c == '\\') {
        escape(out);
      } else {
        out += c;
        ++at_;
      }
    }
  }

  void escape(std::string& out) {
    static constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    const std::size_t start = at_++;
    const char c = peek();
    if (c == 'u') {
      ++at_;
      return append_utf8(out, unicode_escape(start));
    }
    const std::size_t k = done() ? from.npos : from.find(c);
    if (k == from.npos) fail(start, "unknown escape sequence");
    out += to[k];
    ++at_;
  }

  // The code point of \uXXXX or of a surrogate pair \uD8XX\uDCXX; the cursor is behind the first u.
  std::uint32_t unicode_escape(std::size_t start) {
    const std::uint32_t high = hex4(start);
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || text_.substr(at_, 2) != "\\u") fail(start, "half of a surrogate pair");
    at_ += 2;
    const std::uint32_t low = hex4(start);
    if (low < 0xDC00 || low > 0xDFFF) fail(start, "half of a surrogate pair");
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  std::uint32_t hex4(std::size_t start) {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4)
      fail(start, "\\u needs four hexadecimal digits");
    at_ += 4;
    return code;
  }

  Value number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (is_digit(peek())) ++at_;
      return at_ > first;
    };
    if (peek() == '-') ++at_;
    const bool leading_zero = peek() == '0';
    const std::size_t whole = at_;
    if (!digits()) {
      at_ = start;
      fail(start, fmt::format("expected a value, got {}", here()));
    }
    if (leading_zero && at_ > whole + 1) fail(start, "a number must not start with 0");
    if (peek() == '.' && (++at_, !digits()))
      fail(start, "digits are missing after the decimal point");
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) fail(start, "digits are missing in the exponent");
    }
    double result = 0;
    if (std::from_chars(text_.data() + start, text_.data() + at_, result).ec != std::errc())
      fail(start, "number out of range");
    return Value(result);
  }

  std::string_view text_;
  std::shared_ptr<const std::string> source_;
  std::size_t at_ = 0;
  std::size_t marked_ = 0;
  Place mark_{source_, 1, 1};
};

}  // namespace

Value parse(std::string_view text, const std::string& source) {
  return Parser(text, source).document();
}

}  // namespace panta::json
