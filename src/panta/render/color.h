// Colours: linear light for shading, sRGB for files, and perceptually uniform ramps.
#pragma once

#include <cstdint>
#include <vector>

#include "panta/core/vec.h"
#include "panta/io/image.h"

namespace panta {

using LinearColor = Vec3;  // red, green, blue in linear light, 0 to 1

LinearColor from_srgb(Rgb color);
LinearColor from_scene_color(const Vec3& srgb);  // sRGB, 0 to 1, as scenes give it
Rgb to_srgb(const LinearColor& color);

inline Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vec3 mix(const Vec3& a, const Vec3& b, float t) { return a * (1 - t) + b * t; }

// Evenly spaced colours, interpolated in the perceptual colour space OKLab; stored as a table.
class ColorRamp {
 public:
  explicit ColorRamp(const std::vector<Rgb>& stops);
  LinearColor at(float t) const;  // t clamped to [0, 1]

 private:
  std::vector<LinearColor> table_;
};

ColorRamp water_ramp();  // deep blue, blue, white: still to fast
ColorRamp value_ramp();  // dark violet, teal, yellow: low to high

// A sequence of distinct colours, repeated.
LinearColor phase_color(std::uint32_t phase);

// Default colour of the k-th granular material: the first is sand.
LinearColor grain_color(std::size_t k);

// Colour of the k-th of many free bodies: a harmonious set of warm and cool tones. Consecutive
// bodies have different colours, without a visible pattern in rows of bodies.
LinearColor body_color(std::size_t k);

}  // namespace panta
