// An owning array in device memory. It can grow and never shrinks its storage. On the CPU 16
// readable elements follow its end, so that loops may load whole packs.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "panta/core/memory.h"

namespace panta {

template <class D, class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t padding = 16;

  Buffer() = default;
  explicit Buffer(std::size_t n) { resize(n); }
  explicit Buffer(const std::vector<T>& values) { upload(values); }
  Buffer(Buffer&& o) noexcept { swap(o); }
  Buffer& operator=(Buffer&& o) noexcept {
    swap(o);
    return *this;
  }
  ~Buffer() {
    if (data_) Memory<D>::release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  // Keeps the first min(n, size()) elements; elements beyond them are unspecified.
  void resize(std::size_t n) {
    if (n > capacity_) grow(n);
    size_ = n;
  }

  // As resize, but discards the old elements: no copy, and never two arrays at the same time.
  void resize_discarding(std::size_t n) {
    if (n > capacity_) {
      if (data_) Memory<D>::release(std::exchange(data_, nullptr));
      size_ = capacity_ = 0;
    }
    resize(n);
  }

  void upload(const std::vector<T>& values) {
    resize(values.size());
    if (!values.empty()) Memory<D>::upload(data_, values.data(), values.size() * sizeof(T));
  }
  std::vector<T> download() const { return download(size_); }
  std::vector<T> download(std::size_t n) const {
    std::vector<T> out(n);
    if (n) Memory<D>::download(out.data(), data_, n * sizeof(T));
    return out;
  }

  // Copies the elements of another buffer, as many as both have.
  void copy_from(const Buffer& o) {
    const std::size_t n = size_ < o.size_ ? size_ : o.size_;
    if (n) Memory<D>::copy(data_, o.data_, n * sizeof(T));
  }

  void swap(Buffer& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
  }

 private:
  void grow(std::size_t n) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T) - padding;
    const std::size_t room = n < most ? n + padding : most;  // too large a size is refused below
    T* fresh = static_cast<T*>(Memory<D>::allocate(room * sizeof(T)));
    if (data_) {
      Memory<D>::copy(fresh, data_, size_ * sizeof(T));
      Memory<D>::release(data_);
    }
    data_ = fresh;
    capacity_ = n;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

// One value in device memory.
template <class D, class T>
class DeviceValue {
 public:
  explicit DeviceValue(const T& value = T{}) { set(value); }
  T* data() { return buffer_.data(); }
  void set(const T& value) { buffer_.upload({value}); }
  T get() const {
    T value;
    Memory<D>::download(&value, buffer_.data(), sizeof(T));
    return value;
  }

 private:
  Buffer<D, T> buffer_;
};

}  // namespace panta
