// Numbers that particles keep for their contacts (contact.h).
#pragma once

#include "panta/core/scalar_math.h"

namespace panta::unified {

inline constexpr float widest = 0.45f;  // spacings, bound of diameter - spacing
inline constexpr float splitting_relaxation = 1.5f;

// The contact class of a particle, one number, so that sums over neighbours read it from a record:
//
//   0            a liquid; the density constraint separates liquids from each other
//   -1 + wider   a grain that rolls; wider: (diameter - spacing) / spacing, at most `widest`
//   -2 + wider   a grain held by friction, which does not roll; grains touch all classes
//   1 + body     a particle of a body; particles of one body do not touch
//
// F is float, or a pack of the classes of neighbours. Functions of a pack return 1 or 0 per lane.
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
  PANTA_HD F wider() const { return wider(held()); }
  PANTA_HD F wider(F held) const { return if_grain(code + 1.0f + held, F{}); }
  PANTA_HD F if_grain(F yes, F no) const { return where_below(code, -0.5f + F{}, yes, no); }
  // 0 for the class that a particle does not touch, else `value`.
  PANTA_HD F unless(const ContactClassOf<float>& untouched, F value) const {
    const F other = code - untouched.code;
    return where_below(other * other, 0.25f + F{}, F{}, value);
  }
};
using ContactClass = ContactClassOf<float>;

// The contacts of a grain between two solves, in one number: those that push it, +0.5 where
// friction between grains acts. For particles of bodies the number alone.
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
