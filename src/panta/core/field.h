// Field4: four floats per particle, a vector (x, y, z) and a companion scalar w.
//
// The memory layout is the fastest one for each device: four planes on the CPU, where sixteen
// particles are loaded at once, and one float4 per particle on the GPU. Other code uses the view
// and does not depend on the layout.
#pragma once

#include <algorithm>
#include <vector>

#include "panta/core/buffer.h"
#include "panta/core/pack.h"
#include "panta/core/vec.h"

namespace panta {

template <class D>
struct Field4View;

template <>
struct Field4View<Cpu> {
  static constexpr std::size_t stride = 1;  // floats between particles, within a component
  float* p = nullptr;
  std::size_t plane = 0;

  PANTA_HD Vec3 xyz(Index i) const { return {p[i], p[plane + i], p[2 * plane + i]}; }
  PANTA_HD float w(Index i) const { return p[3 * plane + i]; }
  PANTA_HD Vec4 vec4(Index i) const { return {p[i], p[plane + i], p[2 * plane + i], w(i)}; }
  PANTA_HD void set_xyz(Index i, const Vec3& v) const {
    p[i] = v.x, p[plane + i] = v.y, p[2 * plane + i] = v.z;
  }
  PANTA_HD void set_w(Index i, float w) const { p[3 * plane + i] = w; }
  PANTA_HD void set(Index i, const Vec4& v) const {
    set_xyz(i, v.xyz());
    set_w(i, v.w);
  }
  PANTA_HD const float* component(int k) const { return p + k * plane; }
};

#ifdef __CUDACC__
template <>
struct Field4View<Cuda> {
  static constexpr std::size_t stride = 4;
  float4* p = nullptr;

  PANTA_HD Vec4 vec4(Index i) const {
    const float4 v = p[i];
    return {v.x, v.y, v.z, v.w};
  }
  PANTA_HD Vec3 xyz(Index i) const { return vec4(i).xyz(); }
  // For kernels in which no thread writes the field: the compiler may cache and reorder these
  // loads.
  __device__ __forceinline__ Vec3 constant_xyz(Index i) const {
    const float4 v = __ldg(p + i);
    return {v.x, v.y, v.z};
  }
  PANTA_HD float w(Index i) const { return p[i].w; }
  // Writes three words only: other threads may be reading w.
  PANTA_HD void set_xyz(Index i, const Vec3& v) const { p[i].x = v.x, p[i].y = v.y, p[i].z = v.z; }
  PANTA_HD void set_w(Index i, float w) const { p[i].w = w; }
  PANTA_HD void set(Index i, const Vec4& v) const { p[i] = make_float4(v.x, v.y, v.z, v.w); }
  PANTA_HD const float* component(int k) const { return reinterpret_cast<const float*>(p) + k; }
};
#endif

template <class D>
class Field4;

template <>
class Field4<Cpu> {
 public:
  // Keeps the values when it grows.
  void resize(std::size_t n) {
    if (n > plane_) {
      const std::size_t plane = (n + n / 2 + 31) / 16 * 16;
      Buffer<Cpu, float> fresh(4 * plane);
      for (int k = 0; k < 4 && size_ > 0; ++k)
        Memory<Cpu>::copy(fresh.data() + k * plane, values_.data() + k * plane_,
                          size_ * sizeof(float));
      values_.swap(fresh);
      plane_ = plane;
    }
    size_ = n;
  }
  std::size_t size() const { return size_; }
  Field4View<Cpu> view() { return {values_.data(), plane_}; }
  void upload(std::size_t first, const std::vector<Vec4>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Index at = static_cast<Index>(first + i);
      view().set(at, values[i]);
    }
  }
  std::vector<Vec4> download() {
    std::vector<Vec4> out(size_);
    for (std::size_t i = 0; i < size_; ++i) out[i] = view().vec4(static_cast<Index>(i));
    return out;
  }
  // Copies the values of another field, as many as both have.
  void copy_from(const Field4& o) {
    const std::size_t n = std::min(size_, o.size_);
    for (std::size_t k = 0; k < 4 && n > 0; ++k)
      Memory<Cpu>::copy(values_.data() + k * plane_, o.values_.data() + k * o.plane_,
                        n * sizeof(float));
  }
  void swap(Field4& o) {
    values_.swap(o.values_);
    std::swap(plane_, o.plane_);
    std::swap(size_, o.size_);
  }

 private:
  Buffer<Cpu, float> values_;
  std::size_t plane_ = 0, size_ = 0;
};

#ifdef __CUDACC__
template <>
class Field4<Cuda> {
 public:
  void resize(std::size_t n) { values_.resize(n); }
  std::size_t size() const { return values_.size(); }
  Field4View<Cuda> view() { return {values_.data()}; }
  void upload(std::size_t first, const std::vector<Vec4>& values) {
    static_assert(sizeof(Vec4) == sizeof(float4));
    if (!values.empty())
      Memory<Cuda>::upload(values_.data() + first, values.data(), values.size() * sizeof(Vec4));
  }
  std::vector<Vec4> download() {
    std::vector<Vec4> out(size());
    if (!out.empty()) Memory<Cuda>::download(out.data(), values_.data(), size() * sizeof(Vec4));
    return out;
  }
  void copy_from(const Field4& o) { values_.copy_from(o.values_); }
  void swap(Field4& o) { values_.swap(o.values_); }

 private:
  Buffer<Cuda, float4> values_;
};
#endif

// For a launch over all particles.
template <class D>
struct CopyField {
  Field4View<D> from, to;
  PANTA_HD void operator()(Index i) const { to.set(i, from.vec4(i)); }
};

}  // namespace panta
