// Stable sort by unsigned keys, and the table of the first position of each key.
//
// The CPU form is a radix sort of 11-bit digits. Each thread counts and scatters its own contiguous
// part, and the parts are placed in order, so the result is the same for any number of threads.
#pragma once

#include <cstdint>
#include <utility>

#include "panta/core/buffer.h"
#include "panta/core/launch.h"
#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#endif

namespace panta {

// Work space of a sort; reused, so that repeated sorts allocate nothing.
template <class D, class Key>
struct SortScratch {
  Buffer<D, Key> keys;                // CPU
  Buffer<D, std::uint32_t> order;     // CPU
  Buffer<D, std::uint32_t> counts;    // CPU
  Buffer<D, std::uint32_t> identity;  // CUDA
  Buffer<D, unsigned char> storage;   // CUDA
};

namespace detail {

inline constexpr int digit_bits = 11;
inline constexpr std::uint32_t digits = 1u << digit_bits;

// One pass of the radix sort, by `bits` bits of the keys from bit `shift` on. order_in may be null
// for the identity.
template <class Key>
void radix_pass(const Cpu& exec, Index n, int shift, int bits, const Key* keys_in,
                const std::uint32_t* order_in, Key* keys_out, std::uint32_t* order_out,
                std::uint32_t* counts) {
  const int parts = exec.threads;
  const auto first = [&](int part) { return static_cast<Index>(std::int64_t(n) * part / parts); };
  const std::uint32_t mask = (1u << bits) - 1;
  const auto digit = [&](Key key) { return static_cast<std::uint32_t>(key >> shift) & mask; };
#pragma omp parallel num_threads(parts)
  {
#pragma omp for schedule(static, 1)
    for (int part = 0; part < parts; ++part) {
      std::uint32_t* count = counts + static_cast<std::size_t>(part) * digits;
      std::fill(count, count + digits, 0u);
      const Index begin = first(part), end = first(part + 1);
      for (Index i = begin; i < end; ++i) ++count[digit(keys_in[i])];
    }
#pragma omp single
    {
      std::uint32_t at = 0;
      for (std::uint32_t d = 0; d < digits; ++d)
        for (int part = 0; part < parts; ++part)
          at += std::exchange(counts[static_cast<std::size_t>(part) * digits + d], at);
    }
#pragma omp for schedule(static, 1)
    for (int part = 0; part < parts; ++part) {
      std::uint32_t* place = counts + static_cast<std::size_t>(part) * digits;
      const Index begin = first(part), end = first(part + 1);
      for (Index i = begin; i < end; ++i) {
        const std::uint32_t to = place[digit(keys_in[i])]++;
        keys_out[to] = keys_in[i];
        order_out[to] = order_in ? order_in[i] : static_cast<std::uint32_t>(i);
      }
    }
  }
}

struct Iota {
  std::uint32_t* out;
  PANTA_HD void operator()(Index i) const { out[i] = static_cast<std::uint32_t>(i); }
};

}  // namespace detail

// Sorts the first n of `keys` into `sorted`; `order[k]` is the index in `keys` of the k-th sorted
// key. Only the lowest `bits` bits of the keys count.
template <class Key>
void sort_by_key(const Cpu& exec, const Buffer<Cpu, Key>& keys, Buffer<Cpu, Key>& sorted,
                 Buffer<Cpu, std::uint32_t>& order, Index n, int bits,
                 SortScratch<Cpu, Key>& scratch) {
  const std::size_t size = static_cast<std::size_t>(n);
  sorted.resize(size);
  order.resize(size);
  scratch.keys.resize(size);
  scratch.order.resize(size);
  scratch.counts.resize(static_cast<std::size_t>(exec.threads) * detail::digits);
  const int passes = bits <= 0 ? 1 : (bits + detail::digit_bits - 1) / detail::digit_bits;
  const Key* keys_in = keys.data();
  const std::uint32_t* order_in = nullptr;
  for (int pass = 0; pass < passes; ++pass) {
    const bool to_result = (passes - pass) % 2 == 1;  // the last pass writes to the result
    Key* keys_out = to_result ? sorted.data() : scratch.keys.data();
    std::uint32_t* order_out = to_result ? order.data() : scratch.order.data();
    const int shift = pass * detail::digit_bits;
    detail::radix_pass(exec, n, shift, std::clamp(bits - shift, 0, detail::digit_bits), keys_in,
                       order_in, keys_out, order_out, scratch.counts.data());
    keys_in = keys_out;
    order_in = order_out;
  }
}

// starts[k] = number of sorted keys below k, for k in [0, key_count].
inline void find_key_starts(const Cpu& exec, const std::uint32_t* sorted_keys, Index n,
                            std::uint32_t* starts, std::uint32_t key_count) {
  const auto fill = [&](std::uint32_t from, std::uint32_t to, Index value) {
    std::fill(starts + from, starts + to, static_cast<std::uint32_t>(value));
  };
#pragma omp parallel for schedule(static) num_threads(exec.threads)
  for (Index i = 0; i <= n; ++i) {
    const std::uint32_t from = i == 0 ? 0 : sorted_keys[i - 1] + 1;
    const std::uint32_t to = i == n ? key_count + 1 : sorted_keys[i] + 1;
    if (from < to) fill(from, to, i);
  }
}

#ifdef __CUDACC__
template <class Key>
void sort_by_key(const Cuda& exec, const Buffer<Cuda, Key>& keys, Buffer<Cuda, Key>& sorted,
                 Buffer<Cuda, std::uint32_t>& order, Index n, int bits,
                 SortScratch<Cuda, Key>& scratch) {
  const std::size_t size = static_cast<std::size_t>(n);
  sorted.resize(size);
  order.resize(size);
  if (scratch.identity.size() < size) {
    scratch.identity.resize(size);
    launch(exec, n, detail::Iota{scratch.identity.data()});
  }
  std::size_t bytes = 0;
  const auto sort = [&](void* storage) {
    check_cuda(cub::DeviceRadixSort::SortPairs(storage, bytes, keys.data(), sorted.data(),
                                               scratch.identity.data(), order.data(), n, 0,
                                               bits < 1 ? 1 : bits, exec.stream),
               "sorting");
  };
  sort(nullptr);  // asks for the size of the storage only
  scratch.storage.resize(bytes);
  sort(scratch.storage.data());
}

namespace detail {
struct FindStart {
  const std::uint32_t* keys;
  Index n;
  std::uint32_t* starts;
  PANTA_HD void operator()(Index k) const {
    Index lo = 0, hi = n;
    while (lo < hi) {
      const Index mid = (lo + hi) / 2;
      if (keys[mid] < static_cast<std::uint32_t>(k)) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    starts[k] = static_cast<std::uint32_t>(lo);
  }
};
}  // namespace detail

inline void find_key_starts(const Cuda& exec, const std::uint32_t* sorted_keys, Index n,
                            std::uint32_t* starts, std::uint32_t key_count) {
  launch(exec, static_cast<Index>(key_count + 1), detail::FindStart{sorted_keys, n, starts});
}
#endif

}  // namespace panta
