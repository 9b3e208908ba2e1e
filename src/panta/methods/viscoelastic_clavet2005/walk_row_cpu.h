// A particle's row of springs on the CPU: sixteen at a time.
#pragma once

namespace panta::viscoelastic {

template <class D, bool Weighted>
struct RowWalk;

template <bool Weighted>
struct RowWalk<Cpu, Weighted> {
  const SpringView<Cpu>& springs;
  const SpringPass& pass;
  const RecordsView<Cpu>& records;
  const Weights& weights;

  std::size_t first(Index row) const {
    return entry<Cpu>(static_cast<std::size_t>(row), 0, springs.stride);
  }

  // From sixteen others to the particle, and the distances.
  struct Sixteen {
    Vec3T<F16> d;
    F16 r, share;  // of a push within both limits, times the weight of the other
  };
  Sixteen seen_from(const Vec4& x, const std::uint32_t* others) const {
    const Vec4T<F16> at = gather_records(records, others).first;
    Sixteen s{{x.x - at.x, x.y - at.y, x.z - at.z}, {}, minimum(at.w, x.w)};
    if constexpr (Weighted) s.share = s.share * gather(weights.values, load(others));
    s.r = pass.distance(s.d);
    return s;
  }
  static void add(Vec3T<F16>& sum, LaneMask lanes, const Sixteen& s, F16 push) {
    const F16 scale = choose(lanes, push * s.share * reciprocal(s.r), F16{});
    sum += s.d * scale;
  }

  Vec3 adjust(Index i, Index row, const SpringLaw& law, float dt) const {
    const Rows &from = springs.before(), &to = springs.after();
    const std::size_t begin = first(row), out = first(i);
    const Vec4 x = records.get(i).first;
    const float strength = pass.share * law.stiffness * dt * dt;
    const Index count = static_cast<Index>(from.counts[row]);
    std::uint32_t kept = 0;
    Vec3T<F16> sum{};
    for (Index k = 0; k < count; k += pack_width) {
      std::uint32_t others[pack_width];
      LaneMask there = 0;
      for (int l = 0; l < pack_width; ++l) {
        const std::uint32_t other =
            k + l < count ? springs.slot_now[from.others[begin + static_cast<std::size_t>(k + l)]]
                          : nowhere;
        others[l] = other == nowhere ? static_cast<std::uint32_t>(i) : other;
        there |= static_cast<LaneMask>(other != nowhere) << l;
      }
      const Sixteen s = seen_from(x, others);
      const F16 length = load(from.lengths + begin + k);
      const SpringStep<F16> step = follow_spring(law, length, s.r, dt, strength, pass.inverse_h);
      const LaneMask stays = there & ~lanes_below(splat(pass.h), step.length);
      compress_store(to.others + out + kept, stays, load(others));
      compress_store(to.lengths + out + kept, stays, step.length);
      kept += static_cast<std::uint32_t>(__builtin_popcount(stays));
      add(sum, stays, s, step.push);
    }
    to.counts[i] = kept;
    return lane_sum(sum);
  }

  Vec3 pull(Index i, const SpringLaw& law, float dt) const {
    const Rows& rows = springs.after();
    const std::size_t begin = first(i);
    const Vec4 x = records.get(i).first;
    const float strength = pass.share * law.stiffness * dt * dt;
    const Index count = static_cast<Index>(rows.counts[i]);
    Vec3T<F16> sum{};
    for (Index k = 0; k < count; k += pack_width) {
      const std::size_t at = begin + static_cast<std::size_t>(k);
      std::uint32_t others[pack_width];
      for (Index l = 0; l < pack_width; ++l)
        others[l] = k + l < count ? rows.others[at + static_cast<std::size_t>(l)]
                                  : static_cast<std::uint32_t>(i);
      const Sixteen s = seen_from(x, others);
      const F16 push = 0.5f * spring_push(strength, load(rows.lengths + at), s.r, pass.inverse_h);
      add(sum, first_lanes(count - k), s, push);
    }
    return lane_sum(sum);
  }
};

}  // namespace panta::viscoelastic
