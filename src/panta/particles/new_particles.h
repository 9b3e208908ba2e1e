// The columns of particles as a list for kernels: to gather all of them, or to write the values of
// a new particle.
#pragma once

#include <cstdint>

#include "panta/core/field.h"

namespace panta {

inline constexpr int max_fields = 12, max_words = 32;  // of all columns together

// Writes the declared initial values of a new particle into a slot; then the caller sets position,
// velocity, id and other values of its own.
template <class D>
struct NewParticles {
  int fields = 0, words = 0;
  Field4View<D> field[max_fields];
  Vec4 field_value[max_fields];
  std::uint32_t* word[max_words];
  std::uint32_t word_value[max_words];

  PANTA_HD void write(Index slot) const {
    for (int a = 0; a < fields; ++a) field[a].set(slot, field_value[a]);
    for (int a = 0; a < words; ++a) word[a][slot] = word_value[a];
  }
};

namespace detail {

template <class D>
struct GatherColumns {
  const std::uint32_t* order;
  int fields = 0, words = 0;
  Field4View<D> field_from[max_fields], field_to[max_fields];
  const std::uint32_t* word_from[max_words];
  std::uint32_t* word_to[max_words];

  PANTA_HD void operator()(Index k) const {
    const Index from = static_cast<Index>(order[k]);
    for (int a = 0; a < fields; ++a) {
      const Vec4 value = field_from[a].vec4(from);
      field_to[a].set(k, value);
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

}  // namespace panta
