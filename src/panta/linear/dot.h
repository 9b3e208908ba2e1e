// DeviceSums<D>: sums, dot products, squared norms and largest magnitudes of arrays, accumulated in
// double in a fixed order (core/device_reduce.h). Results stay on the device, where the next kernel
// reads them; no call waits for the device, and after `reserve` no call allocates. One object
// serves one stream at a time.
#pragma once

#include "panta/core/device_reduce.h"

namespace panta {

namespace detail {
// A reduction with the single value map(i).
template <class Map>
struct OneValue {
  Map map;
  PANTA_HD void operator()(Index i, double (&v)[1]) const { v[0] = map(i); }
};

struct StoreValue {
  double* out;
  PANTA_HD void operator()(const double (&total)[1]) const { *out = total[0]; }
};

template <class A, class B>
struct ProductOf {
  const A* a;
  const B* b;
  PANTA_HD double operator()(Index i) const { return double(a[i]) * double(b[i]); }
};
}  // namespace detail

template <class D>
class DeviceSums {
 public:
  static constexpr int most_values = 4;  // of one pass

  void reserve(Index n) { scratch_.reserve(n, most_values); }

  // *out = map(0) + … + map(n - 1)
  template <class Map>
  void sum(const D& exec, Index n, const Map& map, double* out) {
    reduce_on_device<AddUp, 1>(exec, n, detail::OneValue<Map>{map}, detail::StoreValue{out},
                               scratch_);
  }

  // *out = the largest |map(i)|; NaN if one is NaN, 0 for n = 0
  template <class Map>
  void largest(const D& exec, Index n, const Map& map, double* out) {
    reduce_on_device<LargestMagnitude, 1>(exec, n, detail::OneValue<Map>{map},
                                          detail::StoreValue{out}, scratch_);
  }

  // *out = sum of a_i b_i; elements are float or double
  template <class A, class B>
  void dot(const D& exec, Index n, const A* a, const B* b, double* out) {
    sum(exec, n, detail::ProductOf<A, B>{a, b}, out);
  }

  // *out = sum of a_i a_i
  template <class A>
  void squared_norm(const D& exec, Index n, const A* a, double* out) {
    dot(exec, n, a, a, out);
  }

  // N sums in one pass: map(i, v) sets the N values of v and may write arrays; finish(total) gets
  // the sums, on the device.
  template <int N, class Map, class Finish>
  void sums(const D& exec, Index n, const Map& map, const Finish& finish) {
    static_assert(N <= most_values);
    reduce_on_device<AddUp, N>(exec, n, map, finish, scratch_);
  }

 private:
  DeviceReduceScratch<D> scratch_;
};

}  // namespace panta
