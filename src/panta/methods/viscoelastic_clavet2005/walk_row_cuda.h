// A particle's row of springs on the GPU: one spring after the other.
#pragma once

namespace panta::viscoelastic {

template <class D, bool Weighted>
struct RowWalk;

template <bool Weighted>
struct RowWalk<Cuda, Weighted> {
  const SpringView<Cuda>& springs;
  const SpringPass& pass;
  const RecordsView<Cuda>& records;
  const Weights& weights;

  __device__ std::size_t at(Index row, std::uint32_t k) const {
    return entry<Cuda>(static_cast<std::size_t>(row), k, springs.stride);
  }

  // Of a push within the limits of both ends, times the weight of the other.
  __device__ float share(const Vec4& own, const Vec4& at_other, std::uint32_t other) const {
    const float both = minimum(own.w, at_other.w);
    if constexpr (Weighted)
      return both * weights.values[other];
    else
      return both;
  }

  __device__ Vec3 adjust(Index i, Index row, const SpringLaw& law, float dt) const {
    const Rows &from = springs.before(), &to = springs.after();
    const Vec4 own = records.get(i).first;
    const Vec3 x = own.xyz();
    const float strength = pass.share * law.stiffness * dt * dt;
    const std::uint32_t count = from.counts[row];
    std::uint32_t kept = 0;
    Vec3 move;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t other = springs.slot_now[from.others[at(row, k)]];
      if (other == nowhere) continue;
      const Vec4 at_other = records.get(static_cast<Index>(other)).first;
      Vec3 d = x - at_other.xyz();
      const float r = pass.distance(d);
      const SpringStep<float> step =
          follow_spring(law, from.lengths[at(row, k)], r, dt, strength, pass.inverse_h);
      if (step.length > pass.h) continue;
      to.others[at(i, kept)] = other;
      to.lengths[at(i, kept)] = step.length;
      ++kept;
      move += d * (step.push * share(own, at_other, other) * reciprocal(r));
    }
    to.counts[i] = kept;
    return move;
  }

  __device__ Vec3 pull(Index i, const SpringLaw& law, float dt) const {
    const Rows& rows = springs.after();
    const Vec4 own = records.get(i).first;
    const Vec3 x = own.xyz();
    const float strength = pass.share * law.stiffness * dt * dt;
    const std::uint32_t count = rows.counts[i];
    Vec3 move;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t other = rows.others[at(i, k)];
      const Vec4 at_other = records.get(static_cast<Index>(other)).first;
      Vec3 d = x - at_other.xyz();
      const float r = pass.distance(d);
      const float push = 0.5f * spring_push(strength, rows.lengths[at(i, k)], r, pass.inverse_h);
      move += d * (push * share(own, at_other, other) * reciprocal(r));
    }
    return move;
  }
};

}  // namespace panta::viscoelastic
