// The values of a particle that two others merge to, or of the children of a split, by column rule.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "panta/core/macros.h"
#include "panta/particles/column.h"

namespace panta {

// Two particles that merge. Means are computed in double.
struct MergingPair {
  double first_mass = 0, second_mass = 0;  // kg
  bool first_is_heavier = true;
  int dimensions = 3;

  // T: float, or std::uint32_t for integers. `fresh`: the value of a new particle.
  template <class T>
  PANTA_HD T merged(Merge rule, T a, T b, T fresh) const {
    switch (rule) {
      case Merge::sum:
        return a + b;
      case Merge::mean:
        return stored<T>(mean(a, b));
      case Merge::heavier:
        return first_is_heavier ? a : b;
      case Merge::volume:
        return stored<T>(radius(a, b));
      case Merge::none:
        break;
    }
    return fresh;
  }

 private:
  // (m1 a + m2 b) / (m1 + m2)
  PANTA_HD double mean(double a, double b) const {
    const double mass = first_mass + second_mass;
    return mass > 0 ? (first_mass * a + second_mass * b) / mass : 0.5 * (a + b);
  }
  // Radius of a ball (in 2-D a disk) with the sum of both volumes: r^d = a^d + b^d.
  PANTA_HD double radius(double a, double b) const {
    return dimensions == 2 ? sqrt(a * a + b * b) : cbrt(a * a * a + b * b * b);
  }
  template <class T>
  PANTA_HD static T stored(double value) {
    return static_cast<T>(std::is_same_v<T, float> ? value : floor(value + 0.5));
  }
};

// A particle that splits into equal children.
struct SplittingParticle {
  std::uint32_t children = 1;
  int dimensions = 3;

  PANTA_HD float divided(Merge rule, float value) const {
    const double count = children;
    if (rule == Merge::sum) return static_cast<float>(value / count);
    if (rule != Merge::volume) return value;
    return static_cast<float>(value / (dimensions == 2 ? sqrt(count) : cbrt(count)));
  }
  // For a sum of integers the first children get the remainder of the division.
  PANTA_HD std::uint32_t divided(Merge rule, std::uint32_t value, std::uint32_t child) const {
    if (rule != Merge::sum) return value;
    return value / children + (child < value % children ? 1 : 0);
  }
  // Relative position of a child: from -1 to 1 at equal distances, so that the sum is 0.
  PANTA_HD float place(std::uint32_t child) const {
    const float last = static_cast<float>(children - 1);
    return (2 * static_cast<float>(child) - last) / last;
  }
};

}  // namespace panta
