// The columns of particles as a saved state, and as a copy on the device.
#pragma once

#include <algorithm>

#include "panta/core/error.h"
#include "panta/core/selected.h"
#include "panta/particles/particles.h"

namespace panta {

namespace detail {

inline std::string component_name(const ColumnInfo& info, int component) {
  static const char* const names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  return info.type == ColumnType::symmetric ? info.name + " " + names[component] : info.name;
}

}  // namespace detail

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
        state.put(name, selected(download_words(handle), kept));
      else
        state.put(name, selected(download_scalars(handle, k), kept));
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
void Particles<D>::restore(const State& state, const std::string& prefix,
                           const std::vector<std::string>& may_lack) {
  const std::string key = prefix + "column ";
  std::size_t n = ~std::size_t{0};
  saved<Vec3>(state, key + info(position_).name, n);
  set_slots(0);
  set_slots(static_cast<Index>(n));
  for (int handle = 0; handle < count(); ++handle) {
    const ColumnInfo& c = info(handle);
    const bool optional = std::find(may_lack.begin(), may_lack.end(), c.name) != may_lack.end();
    if (!c.saved || (optional && !state.has(key + c.name))) continue;
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

template <class D>
typename Particles<D>::Copy Particles<D>::copy() {
  Copy out;
  out.columns = count();
  out.slots = size_;
  out.next_id = next_id_;
  const auto n = static_cast<std::size_t>(size_);
  for (FieldStorage& storage : fields_) {
    out.fields.emplace_back().resize(n);
    out.fields.back().copy_from(current(storage));
  }
  for (WordStorage& storage : words_) {
    out.words.emplace_back().resize(n);
    out.words.back().copy_from(current(storage));
  }
  return out;
}

template <class D>
void Particles<D>::take(const Copy& copy) {
  const Index slots = size_ > copy.slots ? size_ : copy.slots;
  if (size_ != copy.slots) set_slots(copy.slots), set_slots(slots);
  for (std::size_t k = 0; k < copy.fields.size(); ++k)
    current(fields_[k]).copy_from(copy.fields[k]);
  for (std::size_t k = 0; k < copy.words.size(); ++k) current(words_[k]).copy_from(copy.words[k]);
  for (int handle = copy.columns; handle < count(); ++handle)
    if (column(handle).packed_in < 0) fill_column(handle);
  next_id_ = copy.next_id;
}

}  // namespace panta
