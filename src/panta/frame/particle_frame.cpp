#include "panta/frame/particle_frame.h"

#include <algorithm>
#include <numeric>

#include "panta/core/error.h"
#include "panta/particles/standard_columns.h"

namespace panta {

namespace {

template <class T>
T initial_value(const ColumnInfo& info) {
  const auto at = [&](std::size_t k) { return k < info.initial.size() ? info.initial[k] : 0.0f; };
  if constexpr (std::is_same_v<T, Vec3>) return {at(0), at(1), at(2)};
  if constexpr (std::is_same_v<T, SymmetricMatrix>)
    return {at(0), at(1), at(2), at(3), at(4), at(5)};
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(at(0));
}

// order[k] is the index of the k-th smallest id.
std::vector<std::uint32_t> order_by_id(const std::vector<std::uint32_t>& id) {
  std::vector<std::uint32_t> order(id.size());
  std::iota(order.begin(), order.end(), 0u);
  const bool dense = !id.empty() && *std::max_element(id.begin(), id.end()) + 1 == id.size();
  if (dense) {
    for (std::size_t i = 0; i < id.size(); ++i) order[id[i]] = static_cast<std::uint32_t>(i);
  } else {
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  }
  return order;
}

template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> out(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) out[k] = values[order[k]];
  values.swap(out);
}

template <class T>
std::vector<T>& values_of(ParticleFrame& frame, const std::string& name) {
  FrameColumn* column = frame.find(name);
  if (!column) {
    const ColumnInfo* info = standard_columns::find(name);
    if (!info) throw Error(ErrorKind::usage, "the frame has no column '" + name + "'");
    column = &frame.require(*info);
  }
  if (auto* values = std::get_if<std::vector<T>>(&column->values)) return *values;
  throw Error(ErrorKind::usage, "the column '" + name + "' is of another type");
}

template <class T>
const std::vector<T>& values_of(const ParticleFrame& frame, const std::string& name) {
  static const std::vector<T> none;
  const FrameColumn* column = frame.find(name);
  const auto* values = column ? std::get_if<std::vector<T>>(&column->values) : nullptr;
  return values ? *values : none;
}

}  // namespace

FrameColumn::FrameColumn(ColumnInfo declared) : info(std::move(declared)) {
  switch (info.type) {
    case ColumnType::scalar:
      values = std::vector<float>{};
      break;
    case ColumnType::vector:
      values = std::vector<Vec3>{};
      break;
    case ColumnType::symmetric:
      values = std::vector<SymmetricMatrix>{};
      break;
    case ColumnType::word:
      values = std::vector<std::uint32_t>{};
      break;
  }
}

std::size_t FrameColumn::size() const {
  return std::visit([](const auto& v) { return v.size(); }, values);
}

void FrameColumn::resize(std::size_t n) {
  std::visit([&]<class T>(std::vector<T>& v) { v.resize(n, initial_value<T>(info)); }, values);
}

double FrameColumn::component(std::size_t i, int k) const {
  return std::visit(
      [&]<class T>(const std::vector<T>& v) -> double {
        if constexpr (std::is_same_v<T, Vec3>)
          return v[i][k];
        else if constexpr (std::is_same_v<T, SymmetricMatrix>)
          return v[i][static_cast<std::size_t>(k)];
        else
          return v[i];
      },
      values);
}

const std::byte* FrameColumn::bytes() const {
  return std::visit([](const auto& v) { return reinterpret_cast<const std::byte*>(v.data()); },
                    values);
}

std::byte* FrameColumn::bytes() { return const_cast<std::byte*>(std::as_const(*this).bytes()); }

ParticleFrame::ParticleFrame() {
  for (const auto* info : {&standard_columns::id(), &standard_columns::phase(),
                           &standard_columns::position(), &standard_columns::velocity()})
    columns.emplace_back(*info);
}

void ParticleFrame::resize(std::size_t n) {
  for (FrameColumn& column : columns) column.resize(n);
}

FrameColumn* ParticleFrame::find(const std::string& name) {
  for (FrameColumn& column : columns)
    if (column.info.name == name) return &column;
  return nullptr;
}

const FrameColumn* ParticleFrame::find(const std::string& name) const {
  return const_cast<ParticleFrame*>(this)->find(name);
}

FrameColumn& ParticleFrame::require(const ColumnInfo& info) {
  if (FrameColumn* known = find(info.name)) {
    if (known->info.type != info.type)
      throw Error(ErrorKind::usage, "the column '" + info.name + "' has two types");
    return *known;
  }
  columns.emplace_back(info).resize(size());
  return columns.back();
}

std::vector<float>& ParticleFrame::scalars(const std::string& name) {
  return values_of<float>(*this, name);
}
std::vector<Vec3>& ParticleFrame::vectors(const std::string& name) {
  return values_of<Vec3>(*this, name);
}
std::vector<std::uint32_t>& ParticleFrame::words(const std::string& name) {
  return values_of<std::uint32_t>(*this, name);
}
const std::vector<float>& ParticleFrame::scalars(const std::string& name) const {
  return values_of<float>(*this, name);
}
const std::vector<Vec3>& ParticleFrame::vectors(const std::string& name) const {
  return values_of<Vec3>(*this, name);
}
const std::vector<std::uint32_t>& ParticleFrame::words(const std::string& name) const {
  return values_of<std::uint32_t>(*this, name);
}

void ParticleFrame::sort_by_id() {
  const std::vector<std::uint32_t> order = order_by_id(id());
  for (FrameColumn& column : columns)
    std::visit([&](auto& values) { permute(values, order); }, column.values);
}

}  // namespace panta
