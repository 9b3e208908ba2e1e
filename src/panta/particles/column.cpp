#include "panta/particles/column.h"

namespace panta {

namespace {

constexpr double number_bytes = 4;

double device_bytes(const ColumnInfo& info) {
  if (!info.stored || !info.packed_in.empty()) return 0;
  const int numbers = info.type == ColumnType::vector ? 4 : component_count(info.type);
  return number_bytes * numbers * (info.sorted ? 2 : 1);
}

}  // namespace

ColumnBytes bytes_of(const std::vector<ColumnInfo>& columns) {
  ColumnBytes bytes;
  for (const ColumnInfo& info : columns) {
    const double value = number_bytes * component_count(info.type);
    bytes.device += device_bytes(info);
    if (info.shown) bytes.frame += value;
    if (info.stored && info.saved) bytes.checkpoint += value;
  }
  return bytes;
}

const char* type_name(ColumnType type) {
  switch (type) {
    case ColumnType::scalar:
      return "scalar";
    case ColumnType::vector:
      return "vector";
    case ColumnType::symmetric:
      return "symmetric";
    case ColumnType::word:
      return "word";
  }
  return "";
}

const std::vector<std::string>& component_names(ColumnType type) {
  static const std::vector<std::string> vector = {"x", "y", "z"};
  static const std::vector<std::string> symmetric = {"xx", "yy", "zz", "xy", "xz", "yz"};
  static const std::vector<std::string> single = {""};
  return type == ColumnType::vector ? vector : type == ColumnType::symmetric ? symmetric : single;
}

std::vector<std::string> headings_of(const ColumnInfo& info) {
  if (!info.headings.empty()) return info.headings;
  if (component_count(info.type) == 1) return {info.name};
  std::vector<std::string> headings;
  for (const std::string& component : component_names(info.type))
    headings.push_back(info.name + "_" + component);
  return headings;
}

}  // namespace panta
