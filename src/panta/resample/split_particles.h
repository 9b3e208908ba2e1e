// Splits a particle: the first child stays in its slot and keeps its id, the others get the slots
// after the occupied ones and new ids, in the order of their parents' slots.
#pragma once

#include "panta/core/field.h"
#include "panta/resample/values.h"
#include "panta/sources/population.h"
#include "panta/step/space.h"
#include "panta/step/step_state.h"

namespace panta {

// The number of additional slots for each particle.
template <class D>
struct CountChildren {
  StepGate gate;
  const std::uint32_t* children;
  Field4View<D> position;
  const Population* population;
  std::uint32_t* more;  // result

  PANTA_HD void operator()(Index i) const {
    const bool splits = !gate.closed() && static_cast<std::uint32_t>(i) < population->occupied &&
                        !is_removed(position, i) && children[i] > 1;
    more[i] = splits ? children[i] - 1 : 0;
  }
};

// The result of PlanSplit.
struct SplitPlan {
  std::uint32_t first_slot = 0, first_id = 0;
  std::uint32_t admitted = 0;  // new particles; 0: nothing splits
};

// If there are not enough slots, nothing splits and more are requested; runs once.
struct PlanSplit {
  StepGate gate;
  const std::uint32_t* total;  // of CountChildren
  Population* population;
  RoomRequest slots;
  SplitPlan* plan;

  PANTA_HD void operator()(Index) const {
    plan->admitted = 0;
    if (gate.closed() || *total == 0) return;
    if (*total > population->slots - population->occupied) {
      slots.ask(population->occupied + *total);
      return;
    }
    *plan = {population->occupied, population->next_id, *total};
    population->occupied += *total;
    population->next_id += *total;
    population->emitted += *total;
  }
};

// Writes all children of a particle, including the first.
template <class D>
struct WriteChildren {
  const SplitPlan* plan;
  const std::uint32_t *more, *place;  // of CountChildren, and the sum over the slots before
  const Vec3* offset;                 // m, from the parent to its last child
  MergeRules<D> rules;
  std::uint32_t* id;
  Space space;

  PANTA_HD void operator()(Index i) const {
    if (plan->admitted == 0 || more[i] == 0) return;
    const SplittingParticle parent{more[i] + 1, space.dimensions};
    for (int a = 0; a < rules.columns.fields; ++a) write_field(a, i, parent);
    for (int a = 0; a < rules.columns.words; ++a) write_word(a, i, parent);
    for (std::uint32_t k = 1; k < parent.children; ++k)
      id[slot(i, k)] = plan->first_id + place[i] + k - 1;
  }

 private:
  PANTA_HD Index slot(Index i, std::uint32_t child) const {
    return child == 0 ? i : static_cast<Index>(plan->first_slot + place[i] + child - 1);
  }

  PANTA_HD void write_field(int a, Index i, const SplittingParticle& parent) const {
    const Field4View<D> field = rules.columns.field[a];
    const Merge rule = rules.field[a];
    const Vec4 whole = field.vec4(i);
    const float w = parent.divided(rules.packed[a], whole.w);
    const Vec3 part{parent.divided(rule, whole.x), parent.divided(rule, whole.y),
                    parent.divided(rule, whole.z)};
    for (std::uint32_t k = 0; k < parent.children; ++k) {
      const Vec3 value =
          a == rules.position ? space.wrapped(whole.xyz() + offset[i] * parent.place(k)) : part;
      field.set(slot(i, k), {value.x, value.y, value.z, w});
    }
  }

  PANTA_HD void write_word(int a, Index i, const SplittingParticle& parent) const {
    std::uint32_t* const words = rules.columns.word[a];
    if (rules.whole[a]) {
      const std::uint32_t whole = words[i];
      for (std::uint32_t k = 0; k < parent.children; ++k)
        words[slot(i, k)] = parent.divided(rules.word[a], whole, k);
    } else {
      float* const numbers = reinterpret_cast<float*>(words);
      const float part = parent.divided(rules.word[a], numbers[i]);
      for (std::uint32_t k = 0; k < parent.children; ++k) numbers[slot(i, k)] = part;
    }
  }
};

}  // namespace panta
