// Implementation of the Particles template: values on the host, saving and restoring.
#pragma once

#include <cstring>

#include "panta/particles/particles.h"

namespace panta {

namespace detail {

// The elements that are kept, in their order.
template <class T>
std::vector<T> filtered(const std::vector<T>& values, const std::vector<std::size_t>& kept) {
  std::vector<T> out;
  out.reserve(kept.size());
  for (const std::size_t i : kept) out.push_back(values[i]);
  return out;
}

inline std::string component_name(const ColumnInfo& info, int component) {
  static const char* const names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  return info.type == ColumnType::symmetric ? info.name + " " + names[component] : info.name;
}

}  // namespace detail

template <class D>
std::vector<std::uint32_t> Particles<D>::download_words(int handle, int component) {
  return word_buffer(handle, component).download(static_cast<std::size_t>(size_));
}

template <class D>
std::vector<float> Particles<D>::download_scalars(int handle, int component) {
  std::vector<float> out(static_cast<std::size_t>(size_));
  if (column(handle).packed_in >= 0) {
    const auto values = download_vectors(handle);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[i].w;
    return out;
  }
  const auto bits = download_words(handle, component);
  if (!out.empty()) std::memcpy(out.data(), bits.data(), out.size() * sizeof(float));
  return out;
}

template <class D>
void Particles<D>::upload_words(int handle, const std::vector<std::uint32_t>& values,
                                int component) {
  if (!values.empty())
    Memory<D>::upload(word_buffer(handle, component).data(), values.data(),
                      values.size() * sizeof(std::uint32_t));
}

template <class D>
void Particles<D>::upload_scalars(int handle, const std::vector<float>& values, int component) {
  if (column(handle).packed_in >= 0) {
    auto fields = download_vectors(handle);
    for (std::size_t i = 0; i < values.size(); ++i) fields[i].w = values[i];
    return upload_vectors(handle, fields);
  }
  if (!values.empty())
    Memory<D>::upload(word_buffer(handle, component).data(), values.data(),
                      values.size() * sizeof(float));
}

template <class D>
void Particles<D>::save(State& state, const std::vector<std::size_t>& kept,
                        const std::string& prefix) {
  for (int handle = 0; handle < count(); ++handle) {
    const ColumnInfo& c = info(handle);
    if (!c.saved) continue;
    if (c.type == ColumnType::vector) {
      std::vector<Vec3> values;
      values.reserve(kept.size());
      const auto all = download_vectors(handle);
      for (const std::size_t i : kept) values.push_back(all[i].xyz());
      state.put(prefix + "column " + c.name, values);
      continue;
    }
    for (int k = 0; k < component_count(c.type); ++k) {
      const std::string name = prefix + "column " + detail::component_name(c, k);
      if (c.type == ColumnType::word)
        state.put(name, detail::filtered(download_words(handle), kept));
      else
        state.put(name, detail::filtered(download_scalars(handle, k), kept));
    }
  }
}

template <class D>
template <class T>
std::vector<T> Particles<D>::saved(const State& state, const std::string& name,
                                   std::size_t& count) const {
  std::vector<T> values = state.get<T>(name);
  if (count == ~std::size_t{0}) count = values.size();
  if (values.size() != count)
    throw Error(ErrorKind::io, "the saved state is inconsistent: '" + name + "' differs in length");
  return values;
}

template <class D>
void Particles<D>::restore(const State& state, const std::string& prefix) {
  const std::string key = prefix + "column ";
  std::size_t n = ~std::size_t{0};
  saved<Vec3>(state, key + info(position_).name, n);
  set_slots(0);
  set_slots(static_cast<Index>(n));
  for (int handle = 0; handle < count(); ++handle) {
    const ColumnInfo& c = info(handle);
    if (!c.saved) continue;
    if (c.type == ColumnType::vector) {
      const auto values = saved<Vec3>(state, key + c.name, n);
      auto fields = download_vectors(handle);
      for (std::size_t i = 0; i < n; ++i)
        fields[i] = {values[i].x, values[i].y, values[i].z,
                     handle == position_ ? 0.0f : fields[i].w};
      upload_vectors(handle, fields);
      continue;
    }
    for (int k = 0; k < component_count(c.type); ++k) {
      const std::string name = key + detail::component_name(c, k);
      if (c.type == ColumnType::word)
        upload_words(handle, saved<std::uint32_t>(state, name, n));
      else
        upload_scalars(handle, saved<float>(state, name, n), k);
    }
  }
}

}  // namespace panta
