// Merges two particles: the first of a pair gets the merged values of all columns, the second is
// removed.
#pragma once

#include <cstring>

#include "panta/core/atomics.h"
#include "panta/core/field.h"
#include "panta/resample/values.h"
#include "panta/sources/population.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta {

template <class D>
struct MergePairs {
  StepGate gate;
  const std::uint32_t* partner;  // by slot
  MergeRules<D> rules;
  Field4View<D> position;
  const float* mass;  // kg, > 0
  const std::uint32_t* id;
  Population* population;
  Space space;

  PANTA_HD void operator()(Index i) const {
    // Only the first of a pair reads and writes both.
    if (gate.closed() || static_cast<std::uint32_t>(i) >= population->occupied) return;
    const std::uint32_t other = partner[i];
    if (other <= static_cast<std::uint32_t>(i) || other >= population->occupied) return;
    const Index j = static_cast<Index>(other);
    if (partner[j] != static_cast<std::uint32_t>(i)) return;
    if (is_removed(position, i) || is_removed(position, j)) return;
    const bool heavier = mass[i] > mass[j] || (mass[i] == mass[j] && id[i] < id[j]);
    const MergingPair pair{mass[i], mass[j], heavier, space.dimensions};
    for (int a = 0; a < rules.columns.fields; ++a) merge_field(a, i, j, pair);
    for (int a = 0; a < rules.columns.words; ++a) merge_word(a, i, j, pair);
    remove_particle(position, j, *population);
  }

 private:
  PANTA_HD void merge_field(int a, Index i, Index j, const MergingPair& pair) const {
    const Field4View<D> field = rules.columns.field[a];
    const Vec4 first = field.vec4(i), second = field.vec4(j), fresh = rules.columns.field_value[a];
    const Vec3 b = a == rules.position ? space.nearest(second.xyz(), first.xyz()) : second.xyz();
    Vec3 value{pair.merged(rules.field[a], first.x, b.x, fresh.x),
               pair.merged(rules.field[a], first.y, b.y, fresh.y),
               pair.merged(rules.field[a], first.z, b.z, fresh.z)};
    if (a == rules.position) value = space.wrapped(value);
    const float w = pair.merged(rules.packed[a], first.w, second.w, fresh.w);
    field.set(i, {value.x, value.y, value.z, w});
  }

  PANTA_HD void merge_word(int a, Index i, Index j, const MergingPair& pair) const {
    std::uint32_t* const words = rules.columns.word[a];
    const std::uint32_t fresh = rules.columns.word_value[a];
    if (rules.whole[a]) {
      words[i] = pair.merged(rules.word[a], words[i], words[j], fresh);
    } else {
      float initial;
      memcpy(&initial, &fresh, sizeof initial);
      float* const numbers = reinterpret_cast<float*>(words);
      numbers[i] = pair.merged(rules.word[a], numbers[i], numbers[j], initial);
    }
  }
};

}  // namespace panta
