// Writes one JSON object on one line. Numbers are printed in the shortest form that reads back to
// the same bits; NaN and infinities, which JSON lacks, become null.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "panta/core/vec.h"

namespace panta {

inline std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

inline std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

class JsonLine {
 public:
  JsonLine& add(std::string_view key, std::string_view text) {
    return add_raw(key, json_quote(text));
  }
  JsonLine& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  template <std::floating_point T>
  JsonLine& add(std::string_view key, T value) {
    return add_raw(key, json_number(value));
  }
  template <std::integral T>
  JsonLine& add(std::string_view key, T value) {
    return add_raw(key, fmt::format("{}", value));
  }
  JsonLine& add(std::string_view key, const Vec3d& v) {
    return add_raw(
        key, fmt::format("[{}, {}, {}]", json_number(v.x), json_number(v.y), json_number(v.z)));
  }
  // One number as such, several as a list, none as null.
  JsonLine& add(std::string_view key, const std::vector<double>& values) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ", ") + json_number(value);
    return add_raw(key, values.empty() ? "null" : values.size() == 1 ? list : "[" + list + "]");
  }
  JsonLine& add(std::string_view key, const JsonLine& object) {
    return add_raw(key, object.text());
  }

  JsonLine& add(std::string_view key, const std::vector<JsonLine>& objects) {
    std::string list;
    for (const JsonLine& object : objects) list += (list.empty() ? "" : ", ") + object.text();
    return add_raw(key, "[" + list + "]");
  }

  std::string text() const { return "{" + fields_ + "}"; }

 private:
  JsonLine& add_raw(std::string_view key, const std::string& value) {
    if (!fields_.empty()) fields_ += ", ";
    fields_ += json_quote(key) + ": " + value;
    return *this;
  }

  std::string fields_;
};

}  // namespace panta
