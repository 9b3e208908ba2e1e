// PLY: a header of text that declares elements and their properties, then the elements' values as
// text or binary of either byte order. Only the properties x, y, z of the element "vertex" and
// vertex_indices (or vertex_index) of "face" are used; all others are skipped.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "panta/geometry/mesh_parsing.h"
#include "panta/geometry/read_mesh.h"

namespace panta {

namespace {

using namespace mesh_parsing;

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class Encoding { text, little_endian, big_endian };

struct Property {
  std::string_view name;
  Type type = Type::float32;
  bool is_list = false;
  Type count_type = Type::uint8;
};

struct Element {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::text;
  std::vector<Element> elements;
  std::string_view body;
  std::size_t lines = 0;  // of the header
};

std::size_t size_of(Type type) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
      return 1;
    case Type::int16:
    case Type::uint16:
      return 2;
    case Type::int32:
    case Type::uint32:
    case Type::float32:
      return 4;
    case Type::float64:
      return 8;
  }
  return 0;
}

std::optional<Type> type_named(std::string_view word) {
  static constexpr std::pair<std::string_view, Type> names[] = {
      {"char", Type::int8},       {"int8", Type::int8},       {"uchar", Type::uint8},
      {"uint8", Type::uint8},     {"short", Type::int16},     {"int16", Type::int16},
      {"ushort", Type::uint16},   {"uint16", Type::uint16},   {"int", Type::int32},
      {"int32", Type::int32},     {"uint", Type::uint32},     {"uint32", Type::uint32},
      {"float", Type::float32},   {"float32", Type::float32}, {"double", Type::float64},
      {"float64", Type::float64},
  };
  for (const auto& [name, type] : names)
    if (word == name) return type;
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view content, const std::string& name) : lines_(content), name_(name) {}

  Header read() {
    std::string_view line;
    if (!lines_.next(line) || next_word(line) != "ply")
      fail_at_line(name_, 1, "a PLY file begins with the line 'ply'");
    bool has_format = false;
    while (lines_.next(line)) {
      const std::string_view keyword = next_word(line);
      if (keyword == "format") {
        read_format(line);
        has_format = true;
      } else if (keyword == "element") {
        read_element(line);
      } else if (keyword == "property") {
        read_property(line);
      } else if (keyword == "end_header") {
        if (!has_format) fail_here("the header has no line 'format'");
        header_.body = lines_.remaining();
        header_.lines = lines_.number();
        return header_;
      } else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty()) {
        fail_here(in_quotes(keyword) + " is not a keyword of a PLY header");
      }
    }
    fail_here("the header has no line 'end_header'");
  }

 private:
  [[noreturn]] void fail_here(const std::string& problem) const {
    fail_at_line(name_, lines_.number(), problem);
  }

  void read_format(std::string_view rest) {
    const std::string_view word = next_word(rest);
    if (word == "ascii") {
      header_.encoding = Encoding::text;
    } else if (word == "binary_little_endian") {
      header_.encoding = Encoding::little_endian;
    } else if (word == "binary_big_endian") {
      header_.encoding = Encoding::big_endian;
    } else {
      fail_here("the format " + in_quotes(word) +
                " is unknown; there are ascii, binary_little_endian and binary_big_endian");
    }
  }

  void read_element(std::string_view rest) {
    Element element;
    element.name = next_word(rest);
    const std::string_view word = next_word(rest);
    const auto [end, problem] =
        std::from_chars(word.data(), word.data() + word.size(), element.count);
    if (problem != std::errc() || end != word.data() + word.size())
      fail_here(in_quotes(word) + " is not a number of elements");
    header_.elements.push_back(std::move(element));
  }

  void read_property(std::string_view rest) {
    if (header_.elements.empty()) fail_here("a property stands before the first element");
    Property property;
    std::string_view word = next_word(rest);
    if (word == "list") {
      property.is_list = true;
      property.count_type = read_type(next_word(rest));
      word = next_word(rest);
    }
    property.type = read_type(word);
    property.name = next_word(rest);
    if (property.name.empty()) fail_here("a property has no name");
    header_.elements.back().properties.push_back(property);
  }

  Type read_type(std::string_view word) const {
    const std::optional<Type> type = type_named(word);
    if (!type) fail_here(in_quotes(word) + " is not a type of property");
    return *type;
  }

  Lines lines_;
  const std::string& name_;
  Header header_;
};

// Reads the values of the body in sequence, for every encoding.
class Values {
 public:
  Values(std::string_view content, const Header& header, const std::string& name)
      : name_(name),
        encoding_(header.encoding),
        lines_(header.body),
        lines_before_(header.lines),
        content_(content),
        at_(content.size() - header.body.size()) {}

  double next(Type type) {
    return encoding_ == Encoding::text ? next_word_value() : next_binary(type);
  }

  // The smallest size of a value in bytes.
  std::size_t least_size(Type type) const {
    return encoding_ == Encoding::text ? 1 : size_of(type);
  }
  std::size_t bytes_left() const {
    return encoding_ == Encoding::text ? line_.size() + lines_.remaining().size()
                                       : content_.size() - at_;
  }

  [[noreturn]] void fail_here(const std::string& problem) const {
    if (encoding_ == Encoding::text) fail_at_line(name_, lines_before_ + lines_.number(), problem);
    fail_at_byte(name_, at_, problem);
  }

 private:
  double next_word_value() {
    std::string_view word = next_word(line_);
    while (word.empty()) {
      if (!lines_.next(line_)) fail_here("the file ends early");
      word = next_word(line_);
    }
    const std::optional<double> value = to_number(word);
    if (!value) fail_here(in_quotes(word) + " is not a number");
    return *value;
  }

  double next_binary(Type type) {
    const std::size_t size = size_of(type);
    if (size > bytes_left()) fail_here("the file ends early");
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t byte = encoding_ == Encoding::little_endian ? size - 1 - k : k;
      bits = bits << 8 | static_cast<unsigned char>(content_[at_ + byte]);
    }
    at_ += size;
    switch (type) {
      case Type::int8:
        return static_cast<std::int8_t>(bits);
      case Type::int16:
        return static_cast<std::int16_t>(bits);
      case Type::int32:
        return static_cast<std::int32_t>(bits);
      case Type::float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      case Type::float64:
        return std::bit_cast<double>(bits);
      case Type::uint8:
      case Type::uint16:
      case Type::uint32:
        break;
    }
    return static_cast<double>(bits);
  }

  const std::string& name_;
  Encoding encoding_;
  Lines lines_;
  std::size_t lines_before_;
  std::string_view line_;
  std::string_view content_;
  std::size_t at_;
};

class BodyReader {
 public:
  BodyReader(std::string_view content, const Header& header, const std::string& name)
      : header_(header), values_(content, header, name) {}

  TriangleMesh read() {
    for (const Element& element : header_.elements) {
      check_count(element);
      if (element.properties.empty()) continue;
      if (element.name == "vertex") check_has_coordinates(element);
      for (std::uint64_t k = 0; k < element.count; ++k) {
        if (element.name == "vertex") {
          read_vertex(element);
        } else {
          read_other(element, element.name == "face");
        }
      }
    }
    check_indices();
    return std::move(mesh_);
  }

 private:
  void check_count(const Element& element) const {
    std::size_t least = 0;
    for (const Property& p : element.properties)
      least += values_.least_size(p.is_list ? p.count_type : p.type);
    if (least > 0 && element.count > values_.bytes_left() / least)
      values_.fail_here("the file ends early: it announces " + std::to_string(element.count) +
                        " of the element " + in_quotes(element.name));
  }

  void check_has_coordinates(const Element& element) const {
    for (const char* axis : {"x", "y", "z"})
      if (std::none_of(element.properties.begin(), element.properties.end(),
                       [&](const Property& p) { return p.name == axis && !p.is_list; }))
        values_.fail_here(std::string("the vertices have no property '") + axis + "'");
  }

  void read_vertex(const Element& element) {
    Vec3 v;
    for (const Property& p : element.properties) {
      if (p.is_list) {
        skip_list(p);
        continue;
      }
      const double value = values_.next(p.type);
      if (p.name != "x" && p.name != "y" && p.name != "z") continue;
      if (!fits_float(value)) values_.fail_here("a coordinate is not finite");
      v[p.name[0] - 'x'] = static_cast<float>(value);
    }
    mesh_.vertices.push_back(v);
  }

  void read_other(const Element& element, bool is_face) {
    for (const Property& p : element.properties) {
      if (!p.is_list) {
        values_.next(p.type);
      } else if (is_face && (p.name == "vertex_indices" || p.name == "vertex_index")) {
        read_polygon(p);
      } else {
        skip_list(p);
      }
    }
  }

  std::size_t list_length(const Property& p) {
    const double length = values_.next(p.count_type);
    const double most =
        static_cast<double>(values_.bytes_left()) / static_cast<double>(values_.least_size(p.type));
    if (!(length >= 0) || length != std::floor(length) || length > most)
      values_.fail_here("a list cannot have the length announced");
    return static_cast<std::size_t>(length);
  }

  void skip_list(const Property& p) {
    for (std::size_t left = list_length(p); left > 0; --left) values_.next(p.type);
  }

  void read_polygon(const Property& p) {
    const std::size_t length = list_length(p);
    if (length < 3)
      values_.fail_here("a face needs at least three corners, not " + std::to_string(length));
    polygon_.clear();
    for (std::size_t k = 0; k < length; ++k) {
      const double index = values_.next(p.type);
      if (!(index >= 0) || index != std::floor(index) ||
          index > std::numeric_limits<std::uint32_t>::max())
        values_.fail_here("a corner of a face is not a vertex index");
      polygon_.push_back(static_cast<std::uint32_t>(index));
    }
    add_polygon(mesh_, polygon_);
  }

  // Checked at the end, because faces may come before the vertices.
  void check_indices() const {
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const std::uint32_t v : mesh_.triangles[t])
        if (v >= mesh_.vertices.size())
          values_.fail_here("a face names vertex " + std::to_string(v) +
                            ", counted from 0; the file has " +
                            std::to_string(mesh_.vertices.size()));
  }

  const Header& header_;
  Values values_;
  TriangleMesh mesh_;
  std::vector<std::uint32_t> polygon_;
};

}  // namespace

TriangleMesh parse_ply(std::string_view content, const std::string& name) {
  const Header header = HeaderReader(content, name).read();
  TriangleMesh mesh = BodyReader(content, header, name).read();
  finish(mesh, name);
  return mesh;
}

}  // namespace panta
