// Numbers that particles keep for their contacts (contact.h).
#pragma once

#include "panta/core/scalar_math.h"

namespace panta::unified {

inline constexpr float widest = 0.45f;  // spacings, by which a grain may be wider or narrower
inline constexpr float splitting_relaxation = 1.5f;

// Who touches whom, one number per particle, so that sums over neighbours read it from a record:
//
//   0            a liquid; liquids leave each other to the density constraint
//   -1 + wider   a grain that rolls, `wider` than a spacing by that share of it, at most `widest`
//   -2 + wider   a grain that is held and does not roll; grains touch all
//   1 + body     a particle of a body; those of one body do not touch
//
// F is float, or a pack of the classes of neighbours. Where a question is asked of a pack, the
// answer is 1 or 0 in each lane.
template <class F>
struct ContactClassOf {
  F code{};

  static PANTA_HD ContactClassOf liquid() { return {}; }
  static PANTA_HD ContactClassOf grain(bool held, float wider) {
    return {(held ? -2.0f : -1.0f) + minimum(maximum(wider, -widest), widest)};
  }
  static PANTA_HD ContactClassOf of_body(std::uint32_t body) {
    return {static_cast<float>(body + 1)};
  }

  // Of one particle.
  PANTA_HD bool is_liquid() const { return code == 0; }
  PANTA_HD bool is_grain() const { return code < 0; }
  PANTA_HD bool is_of_body() const { return code > 0; }
  PANTA_HD std::uint32_t body() const { return static_cast<std::uint32_t>(code) - 1; }
  // The class that it does not touch; of grains one that no particle has.
  PANTA_HD ContactClassOf untouched() const { return {code < 0 ? 1e30f : code}; }

  // Of a neighbour.
  PANTA_HD F solid() const { return where_below(code * code, 0.25f + F{}, F{}, 1.0f + F{}); }
  PANTA_HD F held() const { return where_below(code, -1.5f + F{}, 1.0f + F{}, F{}); }
  PANTA_HD F wider() const { return if_grain(code + 1.0f + held(), F{}); }
  PANTA_HD F if_grain(F yes, F no) const { return where_below(code, -0.5f + F{}, yes, no); }
  // 0 for the class that a particle does not touch, else `value`.
  PANTA_HD F unless(const ContactClassOf<float>& untouched, F value) const {
    const F other = code - untouched.code;
    return where_below(other * other, 0.25f + F{}, F{}, value);
  }
};
using ContactClass = ContactClassOf<float>;

// What a grain keeps of its contacts until the next solve: how many push it, and a half where
// others hold it. For particles of bodies the number alone.
struct KeptContacts {
  float number;

  static PANTA_HD KeptContacts of(float pushing, bool held) {
    return {pushing + (held ? 0.5f : 0.0f)};
  }
  PANTA_HD float parts() const {
    return maximum(floorf(number) * (1 / splitting_relaxation), 1.0f);
  }
  PANTA_HD bool held() const { return number > floorf(number); }
};

}  // namespace panta::unified
