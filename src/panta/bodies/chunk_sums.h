// Sums over particles, body by body, in a fixed order: over fixed chunks of particles, one team per
// chunk, then over the chunks, one team per body. `Sum` has
//
//   static constexpr int count
//   double value[count] = {}
#pragma once

#include "panta/core/field.h"
#include "panta/core/team.h"
#include "panta/step/step_state.h"

namespace panta {

inline constexpr Index hits_per_chunk = 1024;  // particles

PANTA_HD Index chunks_of(Index particles) {
  return (particles + hits_per_chunk - 1) / hits_per_chunk;
}

// A range of consecutive particles.
struct ParticleChunk {
  Index number, first, count;

  PANTA_HD static ParticleChunk of(Index number, Index particles) {
    const Index first = number * hits_per_chunk, left = particles - first;
    return {number, first, left < hits_per_chunk ? left : hits_per_chunk};
  }

  // Returns the number of particles for which takes_part(i), and writes it to `counts`, by chunk.
  // If the gate is closed it is 0.
  template <class Team, class TakesPart>
  PANTA_HD double count_hits(const Team& team, const StepGate& gate, double* counts,
                             const TakesPart& takes_part) const {
    double found[1] = {};
    if (!gate.closed())
      team.each(count, [&](Index k) { found[0] += takes_part(first + k) ? 1.0 : 0.0; });
    team.add_up(found);
    team.each(1, [&](Index) { counts[number] = found[0]; });
    return found[0];
  }

  // Writes the sum of a body to `sums`, by chunk and body: add(sum, i) adds particle i.
  template <class Sum, class Team, class Add>
  PANTA_HD void sum_up(const Team& team, int bodies, int body, Sum* sums, const Add& add) const {
    Sum sum;
    team.each(count, [&](Index k) { add(sum, first + k); });
    team.add_up(sum.value);
    team.each(1, [&](Index) { sums[number * bodies + body] = sum; });
  }
};

// The sum of a body over the chunks with has_sum(chunk).
template <class Sum, class Team, class HasSum>
PANTA_HD Sum sum_of_chunks(const Team& team, Index chunks, int bodies, Index body, const Sum* sums,
                           const HasSum& has_sum) {
  Sum total;
  team.each(chunks, [&](Index chunk) {
    if (!has_sum(chunk)) return;
    for (int k = 0; k < Sum::count; ++k) total.value[k] += sums[chunk * bodies + body].value[k];
  });
  team.add_up(total.value);
  return total;
}

}  // namespace panta
