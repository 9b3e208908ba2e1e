// Springs in memory, as kernels use them. Every particle has a row of the particles it is tied to
// and of the springs' rest lengths; each spring is in the rows of both its ends, where the same
// numbers are computed twice. So every row has one writer, nothing is searched for or sorted, and a
// spring's push is a sum over the particle's own row.
//
// Rows are at the slots of the particles when they were written, and name others by that slot. A
// step reads the rows of the step before and writes new ones at the present slots; they become
// valid only when the step is complete. A column of the particle has the number of its row, and the
// row has the id of its owner, so that new particles are known to have none.
//
// New neighbours. A pair that was nearer than the support in the step before has its spring:
// springs end when L > h, which takes r > h. So each particle keeps its position of that step
// (`then`, with w = 1 where its springs were updated), and only pairs that were farther apart,
// which are few, are looked up in the row. Springs of type `once` are made between particles that
// both have none yet.
#pragma once

#include "panta/core/field.h"
#include "panta/core/record.h"
#include "panta/core/removed_mark.h"
#include "panta/methods/viscoelastic_clavet2005/substances.h"
#include "panta/neighbors/pair_maths.h"
#include "panta/solver/particle_weights.h"
#include "panta/step/step_state.h"

namespace panta::viscoelastic {

inline constexpr std::uint32_t nowhere = 0xffffffffu;

// One generation of rows.
struct Rows {
  std::uint32_t* others = nullptr;  // `stride` for each row, see entry()
  float* lengths = nullptr;
  std::uint32_t* counts = nullptr;
  std::uint32_t* owners = nullptr;  // ids
};

// The index of the k-th entry of a row. On the CPU rows follow each other; on the GPU the k-th
// entries of 32 rows lie together, so that a warp reads and writes next to each other.
template <class D>
PANTA_HD std::size_t entry(std::size_t row, std::size_t k, std::size_t stride) {
  constexpr std::size_t rows_together = D::kind == DeviceKind::cpu ? 1 : 32;
  return (row / rows_together * stride + k) * rows_together + row % rows_together;
}

// Counters of springs, on the device.
struct SpringBook {
  std::uint32_t current = 0;      // generation that counts
  std::uint32_t added_now = 0;    // in the step being made, each by both its ends
  std::uint64_t added = 0;        // since the start
  std::uint32_t clamped_now = 0;  // particles whose displacement was cut
  std::uint64_t clamped = 0;
};

template <class D>
struct SpringView {
  Rows generation[2];
  std::size_t stride = 0;
  std::uint32_t capacity = 0, rows = 0;
  std::uint32_t* slot_now = nullptr;  // of a row's owner, or nowhere
  SpringBook* book = nullptr;
  std::uint32_t* row_of = nullptr;  // by particle
  Field4View<D> then;               // by particle

  PANTA_HD const Rows& before() const { return generation[book->current]; }
  PANTA_HD const Rows& after() const { return generation[1 - book->current]; }
  // The particle's row, or nowhere.
  PANTA_HD std::uint32_t known_row(Index i, std::uint32_t id) const {
    const std::uint32_t row = row_of[i];
    return row < rows && before().owners[row] == id ? row : nowhere;
  }
};

// The strength of springs in one pass of a step.
struct SpringPass {
  float h = 1, inverse_h = 1;
  float share = 1;  // of dt^2 k_spring
  float room = 0;   // springs of a particle with full force
  Periodicity periodicity;
  bool periodic = false;

  // Compressed liquid may have several times as many springs per particle as a lattice; their total
  // force is limited to that of `room` springs. Of a pair the smaller limit holds.
  PANTA_HD float bears(std::uint32_t springs) const {
    return minimum(room / maximum(static_cast<float>(springs), 1.0f), 1.0f);
  }

  template <class F>
  PANTA_HD F distance(Vec3T<F>& d) const {
    if (periodic) periodicity.shorten(d);
    return maximum(square_root(squared_length(d)), 1e-12f);
  }
};

// After the sort: the slots of the owners of rows, and records for pairs.
template <class D>
struct FindOwners {
  SpringView<D> springs;
  RecordsView<D, Record4> places;
  SpringPass pass;
  RecordsView<D> records;  // result: x* and limit, 0: not known; position then, substance
  const std::uint32_t* ids;
  const std::uint32_t* phase;
  const std::uint32_t* living;

  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) >= *living) return;
    const std::uint32_t row = springs.known_row(i, ids[i]);
    if (row != nowhere) springs.slot_now[row] = static_cast<std::uint32_t>(i);
    const Vec3 x = places.get(i).first.xyz();
    const Vec4 then = springs.then.vec4(i);
    const bool known = row != nowhere && then.w != 0;
    const float bears = known ? pass.bears(springs.before().counts[row]) : 0.0f;
    records.set(i,
                {{x.x, x.y, x.z, bears}, {then.x, then.y, then.z, static_cast<float>(phase[i])}});
  }
};

// A spring for one of its ends: the other end is at i's position minus d.
template <class F>
struct SpringStep {
  F length, push;  // new rest length; displacement along d
};
template <class F>
PANTA_HD SpringStep<F> follow_spring(const SpringLaw& law, F length, F r, float dt, float strength,
                                     float inverse_h) {
  const F now = flowed(law, length, r, dt);
  return {now, 0.5f * spring_push(strength, now, r, inverse_h)};
}

}  // namespace panta::viscoelastic

#include PANTA_FOR_DEVICE("panta/methods/viscoelastic_clavet2005/walk_row_cpu.h", "panta/methods/viscoelastic_clavet2005/walk_row_cuda.h")

namespace panta::viscoelastic {

// The input of the passes over springs.
template <class D>
struct SpringInput {
  SpringView<D> springs;
  SpringPass pass;
  RecordsView<D> records;
  const std::uint32_t* phase;
  const std::uint32_t* living;
  const Substances* substances;
  StepGate gate;
  Weights weights;

  PANTA_HD bool lives(Index i) const { return static_cast<std::uint32_t>(i) < *living; }
  PANTA_HD const SpringLaw& law(Index i) const { return substances->springs[phase[i]]; }
  PANTA_HD float dt() const { return static_cast<float>(gate.state->dt); }
  template <bool Weighted>
  PANTA_HD RowWalk<D, Weighted> walk() const {
    return {springs, pass, records, weights};
  }
};

// Adjusts the springs of a particle (Algorithm 4), writes those that remain to its new row and sums
// their displacements (Algorithm 3).
template <class D, bool Weighted>
struct AdjustSprings {
  SpringInput<D> in;
  const std::uint32_t* ids;
  Field4View<D> moves;  // result

  PANTA_HD void operator()(Index i) const {
    if (in.gate.closed() || !in.lives(i)) return;
    const Rows& to = in.springs.after();
    to.owners[i] = ids[i];
    to.counts[i] = 0;
    moves.set(i, {0, 0, 0, 0});
    const std::uint32_t row = in.springs.known_row(i, ids[i]);
    if (row == nowhere) return;
    const SpringLaw& law = in.law(i);
    if (!law.exist()) return;
    const RowWalk<D, Weighted> walk = in.template walk<Weighted>();
    moves.set_xyz(i, walk.adjust(i, static_cast<Index>(row), law, in.dt()));
  }
};

// Makes springs between new neighbours (Algorithm 4, lines 1 to 4).
template <class D, bool Weighted>
struct AddSprings {
  SpringInput<D> in;
  RoomRequest rows;
  Field4View<D> moves;             // continued
  RecordsView<D, Record4> places;  // result

  struct Self {
    Vec3 then;
    float known, substance, h2;
    Index i;
    const SpringLaw* law;
    bool alive;
  };
  template <class F>
  struct Sum {
    Vec3T<F> unused{};
  };
  PANTA_HD Self self(Index i) const {
    const Record8 r = in.records.get(i);
    const bool alive = in.lives(i) && !in.gate.closed_but_for(rows.room);
    const SpringLaw* law = &in.substances->springs[alive ? in.phase[i] : 0];
    const float h = in.pass.h;
    return {r.second.xyz(), r.first.w, r.second.w, h * h, i, law, alive && law->exist()};
  }
  template <class F, class J>
  PANTA_HD void pair(Sum<F>&, const Self& self, const Vec3T<F>& d, F r2, const J& j) const {
    if (!self.alive) return;
    const Vec4T<F>&x = j.record.first, &then = j.record.second;
    Vec3T<F> d_then{self.then.x - then.x, self.then.y - then.y, self.then.z - then.z};
    if (in.pass.periodic) in.pass.periodicity.shorten(d_then);
    const F other = then.w - self.substance;
    // Larger than all near distances, unless the pair is new and of one substance.
    const F far = far_away + F{};
    const F both = where_below(F{}, self.known * x.w, far, F{});
    const F either = where_below(F{}, self.known + x.w, far, F{});
    const F met = where_below(squared_length(d_then), self.h2 + F{}, both, F{});
    const F stranger = self.law->once ? either : met;
    const F candidate =
        maximum(maximum(r2, stranger), where_below(other * other, 0.25f + F{}, F{}, far));
    each_lane_below(candidate, self.h2 + F{}, [&](int lane) {
      append(self.i, j.index(lane), {lane_of(d.x, lane), lane_of(d.y, lane), lane_of(d.z, lane)},
             *self.law);
    });
  }
  PANTA_HD void append(Index i, Index j, Vec3 d, const SpringLaw& law) const {
    if (has(i, j)) return;
    const Rows& to = in.springs.after();
    const std::uint32_t k = to.counts[i]++;
    if (k >= in.springs.capacity) {
      rows.ask(k + 1);
      return;
    }
    const SpringPass& pass = in.pass;
    const float dt = in.dt(), r = pass.distance(d);
    const float length = law.from_support ? pass.h : r;
    const SpringStep<float> step =
        follow_spring(law, length, r, dt, pass.share * law.stiffness * dt * dt, pass.inverse_h);
    const std::size_t at = entry<D>(static_cast<std::size_t>(i), k, in.springs.stride);
    to.others[at] = static_cast<std::uint32_t>(j);
    to.lengths[at] = step.length;
    moves.set_xyz(i, moves.xyz(i) + d * (step.push * in.weights.template of<Weighted>(j) / r));
    atomic_add(&in.springs.book->added_now, 1u);
  }
  // A spring that was stretched beyond the support while its ends were farther apart.
  PANTA_HD bool has(Index i, Index j) const {
    const Rows& to = in.springs.after();
    const std::uint32_t count = minimum(to.counts[i], in.springs.capacity);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::size_t at = entry<D>(static_cast<std::size_t>(i), k, in.springs.stride);
      if (to.others[at] == static_cast<std::uint32_t>(j)) return true;
    }
    return false;
  }
  PANTA_HD static std::uint32_t minimum(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  PANTA_HD void finish(Index i, const Self& self, const Sum<float>&) const {
    if (!self.alive) return;
    const Vec3 at = in.records.get(i).first.xyz() + moves.xyz(i);
    places.set(i, {{at.x, at.y, at.z, 0}});
  }
};

// Stores the positions at which springs were adjusted.
template <class D>
struct KeepPlaces {
  RecordsView<D, Record4> places;
  Field4View<D> to;
  PANTA_HD void operator()(Index i) const { to.set_xyz(i, places.get(i).first.xyz()); }
};

// Another pass over the new rows, from the positions after the one before.
template <class D>
struct RecordPlaces {
  SpringView<D> springs;
  SpringPass pass;
  RecordsView<D, Record4> places;
  RecordsView<D> records;
  const std::uint32_t* living;
  PANTA_HD void operator()(Index i) const {
    if (static_cast<std::uint32_t>(i) >= *living) return;
    const Vec3 x = places.get(i).first.xyz();
    records.set(i, {{x.x, x.y, x.z, pass.bears(springs.after().counts[i])}, {}});
  }
};
template <class D, bool Weighted>
struct PullSprings {
  SpringInput<D> in;
  RecordsView<D, Record4> places;  // result

  PANTA_HD void operator()(Index i) const {
    if (in.gate.closed() || !in.lives(i)) return;
    const SpringLaw& law = in.law(i);
    if (!law.exist()) return;
    const RowWalk<D, Weighted> walk = in.template walk<Weighted>();
    const Vec3 at = in.records.get(i).first.xyz() + walk.pull(i, law, in.dt());
    places.set(i, {{at.x, at.y, at.z, 0}});
  }
};

// At the end of the step: particles refer to the new rows.
template <class D>
struct KeepRows {
  SpringView<D> springs;
  Field4View<D> places;  // x* when springs were adjusted
  const std::uint32_t* phase;
  const std::uint32_t* living;
  const Substances* substances;
  StepGate gate;

  PANTA_HD void operator()(Index i) const {
    if (gate.closed() || static_cast<std::uint32_t>(i) >= *living) return;
    springs.row_of[i] = static_cast<std::uint32_t>(i);
    const Vec3 x = places.xyz(i);
    springs.then.set(i, {x.x, x.y, x.z, substances->springs[phase[i]].exist() ? 1.0f : 0.0f});
  }
};

// The number of springs of a particle; the sum over particles counts each twice.
template <class D>
struct CountSprings {
  SpringView<D> springs;
  Field4View<D> position;
  const std::uint32_t* ids;
  PANTA_HD double operator()(Index i) const {
    const std::uint32_t row = springs.known_row(i, ids[i]);
    return row == nowhere || is_removed(position, i) ? 0.0 : springs.before().counts[row];
  }
};

struct CommitSprings {
  SpringBook* book;
  const StepState* state;
  PANTA_HD void operator()(Index) const {
    if (state->completed) {
      book->current = 1 - book->current;
      book->added += book->added_now / 2;
      book->clamped += book->clamped_now;
    }
    book->added_now = book->clamped_now = 0;
  }
};

}  // namespace panta::viscoelastic
