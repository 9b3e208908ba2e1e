// State: everything that a simulation's next step depends on, as named arrays of plain values. A
// simulation saves itself to a State and restores itself from one; io/checkpoint.h stores it in a
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "panta/core/error.h"

namespace panta {

struct StateArray {
  std::string name;
  std::uint32_t element_size = 0;  // bytes
  std::vector<std::byte> bytes;
  std::size_t count() const { return element_size ? bytes.size() / element_size : 0; }
};

class State {
 public:
  template <class T>
  void put(const std::string& name, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    StateArray array{name, sizeof(T), std::vector<std::byte>(values.size() * sizeof(T))};
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    arrays_.push_back(std::move(array));
  }
  template <class T>
  void put_value(const std::string& name, const T& value) {
    put(name, std::vector<T>{value});
  }

  // Throws Error(io) unless there is an array of that name with elements of that size.
  template <class T>
  std::vector<T> get(const std::string& name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    for (const StateArray& array : arrays_) {
      if (array.name != name) continue;
      if (array.element_size != sizeof(T)) break;
      std::vector<T> values(array.count());
      if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
      return values;
    }
    throw Error(ErrorKind::io, "the saved state has no array '" + name +
                                   "' of the expected kind: it belongs to another method or "
                                   "version");
  }
  template <class T>
  T get_value(const std::string& name) const {
    const std::vector<T> values = get<T>(name);
    if (values.size() != 1)
      throw Error(ErrorKind::io, "the saved state has " + std::to_string(values.size()) +
                                     " values of '" + name + "' instead of one");
    return values[0];
  }

  bool has(const std::string& name) const {
    for (const StateArray& array : arrays_)
      if (array.name == name) return true;
    return false;
  }

  void add(StateArray array) { arrays_.push_back(std::move(array)); }
  const std::vector<StateArray>& arrays() const { return arrays_; }

 private:
  std::vector<StateArray> arrays_;
};

}  // namespace panta
