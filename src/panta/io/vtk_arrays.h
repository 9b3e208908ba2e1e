// The arrays of VTK XML files: the names of their types, and their offsets in the appended raw
// section, which contains every array as its size in bytes (64 bits) and its little-endian
// elements.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "panta/core/file.h"
#include "panta/core/vec.h"

namespace panta {

static_assert(std::endian::native == std::endian::little, "the file's arrays are little endian");
static_assert(sizeof(Vec3) == 3 * sizeof(float));

// The name of an element type in the file.
template <class T>
struct VtkType;
template <>
struct VtkType<float> {
  static constexpr const char* name = "Float32";
  static constexpr int components = 1;
};
template <>
struct VtkType<Vec3> {
  static constexpr const char* name = "Float32";
  static constexpr int components = 3;
};
template <>
struct VtkType<std::array<float, 6>> {
  static constexpr const char* name = "Float32";
  static constexpr int components = 6;
};
template <>
struct VtkType<double> {
  static constexpr const char* name = "Float64";
  static constexpr int components = 1;
};
template <>
struct VtkType<std::uint32_t> {
  static constexpr const char* name = "UInt32";
  static constexpr int components = 1;
};
template <>
struct VtkType<std::int32_t> {
  static constexpr const char* name = "Int32";
  static constexpr int components = 1;
};

// Lays out the appended section while the header is written.
class VtkHeader {
 public:
  // `more`: further attributes, each with a leading space.
  template <class T>
  std::string array(std::string_view name, std::size_t count, std::string_view more = "") {
    const std::string tag = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} format=\"appended\" "
        "offset=\"{}\"{}/>\n",
        VtkType<T>::name, name, VtkType<T>::components,
        name == "TimeValue" ? " NumberOfTuples=\"1\"" : "", offset_, more);
    offset_ += sizeof(std::uint64_t) + count * sizeof(T);
    return tag;
  }

 private:
  std::uint64_t offset_ = 0;
};

inline void write_vtk_block(OutputFile& file, const void* data, std::uint64_t bytes) {
  file.write(&bytes, sizeof bytes);
  file.write(data, bytes);
}

}  // namespace panta
