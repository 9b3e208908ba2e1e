// Which object each particle of a frame belongs to, and how large each particle is.
#pragma once

#include "panta/frame/particle_frame.h"
#include "panta/particles/standard_columns.h"

namespace panta {

class ParticleObjects {
 public:
  explicit ParticleObjects(const ParticleFrame& frame)
      : objects_(frame.objects), numbers_(frame.words(standard_columns::object().name)) {}

  // Where the frame has no such column, all belong to the first object; null where it has no table.
  const Object* operator[](std::size_t i) const {
    const std::size_t number = numbers_.empty() ? 0 : numbers_[i];
    return number < objects_.size() ? &objects_[number] : nullptr;
  }
  // The place of an object in the frame's table.
  std::size_t number(const Object& object) const {
    return static_cast<std::size_t>(&object - objects_.data());
  }

 private:
  const std::vector<Object>& objects_;
  const std::vector<std::uint32_t>& numbers_;
};

// Sizes relative to a particle whose radius is half the spacing, which is the size of all where the
// frame has no column "radius".
class ParticleSizes {
 public:
  ParticleSizes(const ParticleFrame& frame, float spacing)
      : radius_(frame.scalars(standard_columns::radius().name)), scale_(2 / spacing) {}

  bool all_equal() const { return radius_.empty(); }
  float operator[](std::size_t i) const { return radius_.empty() ? 1 : radius_[i] * scale_; }

 private:
  const std::vector<float>& radius_;
  float scale_;
};

}  // namespace panta
