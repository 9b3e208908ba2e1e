#include "panta/particles/particles.h"

#include <cstring>

#include "panta/core/error.h"
#include "panta/particles/particle_state_impl.h"
#include "panta/particles/standard_columns.h"

namespace panta {

namespace detail {

inline float initial_number(const ColumnInfo& info, int component) {
  const auto k = static_cast<std::size_t>(component);
  return k < info.initial.size() ? info.initial[k] : 0.0f;
}

inline std::uint32_t initial_bits(const ColumnInfo& info, int component) {
  const float value = initial_number(info, component);
  if (info.type == ColumnType::word) return static_cast<std::uint32_t>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace detail

template <class D>
Particles<D>::Particles() {
  position_ = declare(standard_columns::position());
  velocity_ = declare(standard_columns::velocity());
  id_ = declare(standard_columns::id());
  phase_ = declare(standard_columns::phase());
}

template <class D>
int Particles<D>::declare(const ColumnInfo& info) {
  if (const int known = find(info.name); known >= 0) {
    if (column(known).info.type != info.type)
      throw Error(ErrorKind::usage,
                  "the column '" + info.name + "' is declared twice with different types");
    return known;
  }
  Column c{info, info.packed_in.empty() ? -1 : find(info.packed_in), 0};
  const int handle = count();
  if (!info.packed_in.empty()) {
    if (c.packed_in < 0 || column(c.packed_in).info.type != ColumnType::vector)
      throw Error(ErrorKind::usage, "the column '" + info.name + "' is packed in '" +
                                        info.packed_in + "', which is not a vector column");
    columns_.push_back(c);
    return handle;
  }
  const bool is_vector = info.type == ColumnType::vector;
  const int numbers = is_vector ? 1 : component_count(info.type);
  c.storage = is_vector ? fields_.size() : words_.size();
  if (c.storage + static_cast<std::size_t>(numbers) >
      static_cast<std::size_t>(is_vector ? max_fields : max_words))
    throw Error(ErrorKind::usage, "too many columns: no room for '" + info.name + "'");
  columns_.push_back(c);
  if (is_vector) fields_.emplace_back().sorted = info.sorted;
  for (int k = 0; k < numbers && !is_vector; ++k) {
    WordStorage& words = words_.emplace_back();
    words.sorted = info.sorted;
    words.initial = detail::initial_bits(info, k);
  }
  resize(size_);
  fill_column(handle);
  return handle;
}

// Sets the initial values of a column that is added when there are particles already.
template <class D>
void Particles<D>::fill_column(int handle) {
  const auto n = static_cast<std::size_t>(size_);
  const Column& c = column(handle);
  if (n == 0) return;
  if (c.info.type == ColumnType::vector)
    return upload_vectors(handle, std::vector<Vec4>(n, initial_vector(c.storage)));
  for (int k = 0; k < component_count(c.info.type); ++k)
    upload_words(
        handle,
        std::vector<std::uint32_t>(n, words_[c.storage + static_cast<std::size_t>(k)].initial), k);
}

template <class D>
int Particles<D>::find(const std::string& name) const {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k].info.name == name) return static_cast<int>(k);
  return -1;
}

template <class D>
SymmetricView Particles<D>::symmetric(int handle) {
  SymmetricView view;
  for (int k = 0; k < 6; ++k)
    view.component[k] = reinterpret_cast<float*>(word_buffer(handle, k).data());
  return view;
}

template <class D>
Vec4 Particles<D>::initial_vector(std::size_t storage) const {
  Vec4 value;
  for (const Column& c : columns_) {
    if (c.packed_in >= 0 && column(c.packed_in).storage == storage)
      value.w = detail::initial_number(c.info, 0);
    if (c.packed_in >= 0 || c.info.type != ColumnType::vector || c.storage != storage) continue;
    value.x = detail::initial_number(c.info, 0);
    value.y = detail::initial_number(c.info, 1);
    value.z = detail::initial_number(c.info, 2);
  }
  return value;
}

template <class D>
NewParticles<D> Particles<D>::new_particles() {
  NewParticles<D> list;
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    list.field[list.fields] = current(fields_[k]).view();
    list.field_value[list.fields++] = initial_vector(k);
  }
  for (WordStorage& words : words_) {
    list.word[list.words] = current(words).data();
    list.word_value[list.words++] = words.initial;
  }
  return list;
}

template <class D>
MergeRules<D> Particles<D>::merge_rules() {
  MergeRules<D> rules;
  rules.columns = new_particles();
  rules.position = static_cast<int>(column(position_).storage);
  for (const Column& c : columns_) {
    if (c.packed_in >= 0) {
      rules.packed[column(c.packed_in).storage] = c.info.merge;
    } else if (c.info.type == ColumnType::vector) {
      rules.field[c.storage] = c.info.merge;
    } else {
      for (int k = 0; k < component_count(c.info.type); ++k) {
        const std::size_t at = c.storage + static_cast<std::size_t>(k);
        rules.word[at] = c.info.merge;
        rules.whole[at] = c.info.type == ColumnType::word;
      }
    }
  }
  return rules;
}

template <class D>
void Particles<D>::resize(Index n) {
  const auto size = static_cast<std::size_t>(n);
  for (auto& storage : fields_)
    for (int k = 0; k < (storage.sorted ? 2 : 1); ++k) storage.copy[k].resize(size);
  for (auto& storage : words_)
    for (int k = 0; k < (storage.sorted ? 2 : 1); ++k) storage.copy[k].resize(size);
  size_ = n;
}

template <class D>
void Particles<D>::fill_new(Index first, Index count) {
  const NewParticles<D> list = new_particles();
  const std::size_t n = static_cast<std::size_t>(count), at = static_cast<std::size_t>(first);
  if (n == 0) return;
  for (int k = 0; k < list.fields; ++k)
    current(fields_[static_cast<std::size_t>(k)])
        .upload(at, std::vector<Vec4>(n, list.field_value[k]));
  for (int k = 0; k < list.words; ++k) {
    const std::vector<std::uint32_t> values(n, list.word_value[k]);
    Memory<D>::upload(list.word[k] + first, values.data(), n * sizeof(std::uint32_t));
  }
}

template <class D>
void Particles<D>::set_slots(Index n) {
  const Index before = size_;
  resize(n);
  if (n <= before) return;
  fill_new(before, n - before);
  const std::vector<Vec4> gone(static_cast<std::size_t>(n - before), Vec4{0, 0, 0, removed_mark});
  field(position_).upload(static_cast<std::size_t>(before), gone);
}

template <class D>
void Particles<D>::add(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities,
                       const std::vector<std::uint32_t>& phases) {
  const std::size_t count = positions.size(), first = static_cast<std::size_t>(size_);
  if (count == 0) return;
  resize(static_cast<Index>(first + count));
  fill_new(static_cast<Index>(first), static_cast<Index>(count));
  const float packed = initial_vector(column(velocity_).storage).w;
  std::vector<Vec4> x(count), v(count);
  std::vector<std::uint32_t> ids(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = {positions[i].x, positions[i].y, positions[i].z, 0};
    v[i] = {velocities[i].x, velocities[i].y, velocities[i].z, packed};
    ids[i] = next_id_++;
  }
  field(position_).upload(first, x);
  field(velocity_).upload(first, v);
  Memory<D>::upload(id() + first, ids.data(), count * sizeof(std::uint32_t));
  Memory<D>::upload(phase() + first, phases.data(), count * sizeof(std::uint32_t));
}

template <class D>
void Particles<D>::remove(const D& exec, const std::uint32_t* keep) {
  places_.resize(static_cast<std::size_t>(size_) + 1);
  kept_.resize(static_cast<std::size_t>(size_));
  exclusive_scan(exec, keep, places_.data(), size_, scan_);
  launch(exec, size_, detail::ScatterKept{keep, places_.data(), kept_.data()});
  exec.synchronize();
  std::uint32_t count = 0;
  Memory<D>::download(&count, places_.data() + size_, sizeof count);
  reorder(exec, kept_.data(), static_cast<Index>(count));
  exec.synchronize();
  resize(static_cast<Index>(count));
}

template <class D>
void Particles<D>::reorder_in_step(const D& exec, const std::uint32_t* order, Index count) {
  detail::GatherColumns<D> gather;
  gather.order = order;
  for (auto& storage : fields_) {
    if (!storage.sorted) continue;
    gather.field_from[gather.fields] = storage.copy[current_].view();
    gather.field_to[gather.fields++] = storage.copy[1 - current_].view();
  }
  for (auto& storage : words_) {
    if (!storage.sorted) continue;
    gather.word_from[gather.words] = storage.copy[current_].data();
    gather.word_to[gather.words++] = storage.copy[1 - current_].data();
  }
  launch(exec, count, gather);
  swap_copies();
}

// Columns without a second copy are gathered into a temporary array and copied back, so that their
// addresses, which recorded steps contain, do not change.
template <class D>
void Particles<D>::gather_unsorted(const D& exec, const std::uint32_t* order, Index count) {
  for (auto& storage : fields_) {
    if (storage.sorted) continue;
    Field4<D> gathered;
    gathered.resize(static_cast<std::size_t>(size_));
    detail::GatherColumns<D> gather;
    gather.order = order;
    gather.fields = 1;
    gather.field_from[0] = storage.copy[0].view();
    gather.field_to[0] = gathered.view();
    launch(exec, count, gather);
    launch(exec, count, CopyField<D>{gathered.view(), storage.copy[0].view()});
    exec.synchronize();
  }
  for (auto& storage : words_) {
    if (storage.sorted) continue;
    Buffer<D, std::uint32_t> gathered(static_cast<std::size_t>(size_));
    detail::GatherColumns<D> gather;
    gather.order = order;
    gather.words = 1;
    gather.word_from[0] = storage.copy[0].data();
    gather.word_to[0] = gathered.data();
    launch(exec, count, gather);
    exec.synchronize();
    Memory<D>::copy(storage.copy[0].data(), gathered.data(),
                    static_cast<std::size_t>(count) * sizeof(std::uint32_t));
  }
}

template <class D>
void Particles<D>::reorder(const D& exec, const std::uint32_t* order, Index count) {
  gather_unsorted(exec, order, count);
  reorder_in_step(exec, order, count);
}

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

template class Particles<PANTA_DEVICE>;

}  // namespace panta
