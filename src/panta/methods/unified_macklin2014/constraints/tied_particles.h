// The particles that the constraints of one type tie. Each is listed once and looked up by id after
// a sort, as particles change slots then.
//
// A constraint has members, one for each particle it ties, and writes the displacement of each to a
// separate entry of `moves`. A launch over particles then adds these in the order of the list.
// There are no atomics, and the result is the same bits on every run, for any number of threads.
#pragma once

#include "panta/core/buffer.h"
#include "panta/core/launch.h"
#include "panta/methods/unified_macklin2014/constraints/incidence.h"
#include "panta/methods/unified_macklin2014/substep.h"
#include "panta/particles/particle_mass.h"

namespace panta::unified {

inline constexpr Index no_slot = -1;

struct TiedParticle {
  Index slot = no_slot;
  float w = 0;     // 1/kg
  float ties = 0;  // its constraints
};

// Inverse masses by slot; 0 for particles that an emitter holds.
struct InverseMasses {
  ParticleMass mass;
  const std::uint32_t* held = nullptr;

  PANTA_HD float operator()(Index i) const { return held && held[i] ? 0.0f : 1 / mass(i); }
};

struct LocateTied {
  const Index* slot_of;      // by id
  const std::uint32_t* ids;  // of the tied particles
  const std::uint32_t* begins;
  InverseMasses masses;
  TiedParticle* tied;

  PANTA_HD void operator()(Index p) const {
    const Index slot = slot_of[ids[p]];
    tied[p] = {slot, slot == no_slot ? 0.0f : masses(slot),
               static_cast<float>(begins[p + 1] - begins[p])};
  }
};

// Adds the displacements by all constraints to each particle.
template <class D>
struct MoveTied {
  Substep<D> substep;
  const TiedParticle* tied;
  const std::uint32_t* begins;
  const std::uint32_t* entries;  // places in `moves`
  const Vec3* moves;

  PANTA_HD void operator()(Index p) const {
    const TiedParticle particle = tied[p];
    if (substep.gate.closed() || particle.slot == no_slot || !(particle.w > 0)) return;
    Vec3 move;
    for (std::uint32_t k = begins[p]; k < begins[p + 1]; ++k) move += moves[entries[k]];
    const Vec4 at = substep.candidates.get(particle.slot).first;
    substep.candidates.set(particle.slot, {{at.x + move.x, at.y + move.y, at.z + move.z, at.w}});
  }
};

template <class D>
class TiedParticles {
 public:
  // `members`: the ids of the members of all constraints. Returns for each which tied particle it
  // is.
  std::vector<std::uint32_t> set(const std::vector<std::uint32_t>& members) {
    RankedIds ids = ranked(members);
    const Incidence its_members = incidence(ids.rank, ids.distinct.size());
    ids_.upload(ids.distinct);
    begins_.upload(its_members.begins);
    entries_.upload(its_members.entries);
    moves_.resize(members.size());
    tied_.upload(std::vector<TiedParticle>(ids.distinct.size()));
    return std::move(ids.rank);
  }

  void locate(const D& exec, const Index* slot_of, const InverseMasses& masses) {
    launch(exec, static_cast<Index>(ids_.size()),
           LocateTied{slot_of, ids_.data(), begins_.data(), masses, tied_.data()});
  }

  // Adds moves() to the candidates of `substep`.
  void move(const D& exec, const Substep<D>& substep) {
    launch(exec, static_cast<Index>(ids_.size()),
           MoveTied<D>{substep, tied_.data(), begins_.data(), entries_.data(), moves_.data()});
  }

  // Device memory in use.
  double bytes() const {
    return static_cast<double>((ids_.size() + begins_.size() + entries_.size()) *
                                   sizeof(std::uint32_t) +
                               tied_.size() * sizeof(TiedParticle) + moves_.size() * sizeof(Vec3));
  }

  const TiedParticle* data() const { return tied_.data(); }
  Vec3* moves() { return moves_.data(); }  // one per member

 private:
  Buffer<D, std::uint32_t> ids_;               // rising
  Buffer<D, std::uint32_t> begins_, entries_;  // their members, in the order of the list
  Buffer<D, TiedParticle> tied_;
  Buffer<D, Vec3> moves_;
};

}  // namespace panta::unified
