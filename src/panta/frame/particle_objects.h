// Which object each particle of a frame belongs to, and how large each particle is.
#pragma once

#include <cmath>

#include "panta/frame/particle_frame.h"
#include "panta/particles/standard_columns.h"
#include "panta/scene/material_mass.h"

namespace panta {

class ParticleObjects {
 public:
  explicit ParticleObjects(const ParticleFrame& frame)
      : objects_(frame.objects), numbers_(frame.words(standard_columns::object().name)) {}

  // Without the column, all particles belong to the first object; null if there is no table.
  const Object* operator[](std::size_t i) const {
    const std::size_t number = numbers_.empty() ? 0 : numbers_[i];
    return number < objects_.size() ? &objects_[number] : nullptr;
  }
  // The index of an object in the frame's table.
  std::size_t number(const Object& object) const {
    return static_cast<std::size_t>(&object - objects_.data());
  }

 private:
  const std::vector<Object>& objects_;
  const std::vector<std::uint32_t>& numbers_;
};

// Sizes relative to a normal particle of the scene: radius / (spacing / 2) if the particle has a
// radius; else from its mass, if it has one; else 1.
class ParticleSizes {
 public:
  // Values for a particle without a radius and mass of its own.
  struct DefaultSizes {
    explicit DefaultSizes(const Scene& scene)
        : spacing(static_cast<float>(scene.spacing)), dimensions(scene.dimensions) {
      for (std::size_t k = 0; k < scene.materials.size(); ++k)
        mass.push_back(static_cast<float>(particle_mass(scene, k)));
    }
    float spacing;  // m
    int dimensions;
    std::vector<float> mass;  // kg, by material
  };

  ParticleSizes(const ParticleFrame& frame, const DefaultSizes& usual)
      : usual_(usual),
        radius_(frame.scalars(standard_columns::radius().name)),
        mass_(frame.scalars(standard_columns::mass().name)),
        phase_(frame.phase()) {}

  bool all_equal() const { return radius_.empty() && mass_.empty(); }
  float operator[](std::size_t i) const {
    if (!radius_.empty()) return radius_[i] * 2 / usual_.spacing;
    if (mass_.empty() || phase_[i] >= usual_.mass.size()) return 1;
    const float volume = mass_[i] / usual_.mass[phase_[i]];
    return usual_.dimensions == 2 ? std::sqrt(volume) : std::cbrt(volume);
  }

 private:
  const DefaultSizes& usual_;
  const std::vector<float>&radius_, &mass_;
  const std::vector<std::uint32_t>& phase_;
};

}  // namespace panta
