// Implementation of the Particles template.
#pragma once

#include "panta/core/error.h"
#include "panta/particles/particles.h"

namespace panta {

namespace detail {

template <class D>
struct GatherAttributes {
  const std::uint32_t* order;
  int vectors = 0, words = 0;
  Field4View<D> vector_from[Particles<D>::max_vectors], vector_to[Particles<D>::max_vectors];
  const std::uint32_t* word_from[Particles<D>::max_words];
  std::uint32_t* word_to[Particles<D>::max_words];

  PANTA_HD void operator()(Index k) const {
    const Index from = static_cast<Index>(order[k]);
    for (int a = 0; a < vectors; ++a) {
      const Vec4 value = vector_from[a].vec4(from);
      vector_to[a].set(k, value);
    }
    for (int a = 0; a < words; ++a) word_to[a][k] = word_from[a][from];
  }
};

struct ScatterKept {
  const std::uint32_t* keep;
  const std::uint32_t* place;
  std::uint32_t* order;
  PANTA_HD void operator()(Index i) const {
    if (keep[i]) order[place[i]] = static_cast<std::uint32_t>(i);
  }
};

}  // namespace detail

template <class D>
int Particles<D>::declare(const std::string& name, AttributeType type) {
  if (const int known = find(name); known >= 0) {
    if (declarations_[static_cast<std::size_t>(known)].type != type)
      throw Error(ErrorKind::usage,
                  "attribute '" + name + "' is declared twice with different types");
    return known;
  }
  const bool is_vector = type == AttributeType::vector;
  const std::size_t slot = is_vector ? vectors_.size() : words_.size();
  if (slot == static_cast<std::size_t>(is_vector ? max_vectors : max_words))
    throw Error(ErrorKind::usage, "too many particle attributes: no room for '" + name + "'");
  declarations_.push_back({name, type, slot});
  if (is_vector) {
    vectors_.emplace_back();
  } else {
    words_.emplace_back();
  }
  resize(size_);
  return static_cast<int>(declarations_.size()) - 1;
}

template <class D>
int Particles<D>::find(const std::string& name) const {
  for (std::size_t k = 0; k < declarations_.size(); ++k)
    if (declarations_[k].name == name) return static_cast<int>(k);
  return -1;
}

template <class D>
void Particles<D>::resize(Index n) {
  for (auto& a : vectors_)
    for (auto& copy : a.copy) copy.resize(static_cast<std::size_t>(n));
  for (auto& a : words_)
    for (auto& copy : a.copy) copy.resize(static_cast<std::size_t>(n));
  size_ = n;
}

template <class D>
void Particles<D>::set_slots(Index n, float gone_mark) {
  const Index before = size_;
  resize(n);
  if (n <= before) return;
  const std::vector<Vec4> gone(static_cast<std::size_t>(n - before), Vec4{0, 0, 0, gone_mark});
  vectors_[slot(position_)].copy[current_].upload(static_cast<std::size_t>(before), gone);
  const std::vector<std::uint32_t> none(gone.size(), 0);
  for (auto& a : words_)
    Memory<D>::upload(a.copy[current_].data() + before, none.data(),
                      none.size() * sizeof(std::uint32_t));
}

template <class D>
void Particles<D>::add(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities,
                       const std::vector<std::uint32_t>& phases) {
  const std::size_t count = positions.size(), first = static_cast<std::size_t>(size_);
  if (count == 0) return;
  resize(static_cast<Index>(first + count));
  const std::vector<Vec4> no_vectors(count);
  for (auto& a : vectors_) a.copy[current_].upload(first, no_vectors);
  const std::vector<std::uint32_t> no_words(count, 0);
  for (auto& a : words_)
    Memory<D>::upload(a.copy[current_].data() + first, no_words.data(),
                      count * sizeof(std::uint32_t));

  std::vector<Vec4> x(count), v(count);
  std::vector<std::uint32_t> ids(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = {positions[i].x, positions[i].y, positions[i].z, 0};
    v[i] = {velocities[i].x, velocities[i].y, velocities[i].z, 0};
    ids[i] = next_id_++;
  }
  vectors_[slot(position_)].copy[current_].upload(first, x);
  vectors_[slot(velocity_)].copy[current_].upload(first, v);
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
  gather(exec, kept_.data(), static_cast<Index>(count));
  resize(static_cast<Index>(count));
}

template <class D>
void Particles<D>::gather(const D& exec, const std::uint32_t* order, Index count) {
  detail::GatherAttributes<D> gather;
  gather.order = order;
  for (auto& a : vectors_) {
    gather.vector_from[gather.vectors] = a.copy[current_].view();
    gather.vector_to[gather.vectors++] = a.copy[1 - current_].view();
  }
  for (auto& a : words_) {
    gather.word_from[gather.words] = a.copy[current_].data();
    gather.word_to[gather.words++] = a.copy[1 - current_].data();
  }
  launch(exec, count, gather);
  swap_copies();
}

}  // namespace panta
