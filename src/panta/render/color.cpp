#include "panta/render/color.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "panta/core/random.h"

namespace panta {

namespace {

float srgb_to_linear(float c) {
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}
float linear_to_srgb(float c) {
  c = std::clamp(c, 0.0f, 1.0f);
  return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
}

// Björn Ottosson's OKLab (2020): equal steps look equally large.
Vec3 to_oklab(const LinearColor& c) {
  const float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
  const float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
  const float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}
LinearColor from_oklab(const Vec3& lab) {
  const auto cube = [](float v) { return v * v * v; };
  const float l = cube(lab.x + 0.3963377774f * lab.y + 0.2158037573f * lab.z);
  const float m = cube(lab.x - 0.1055613458f * lab.y - 0.0638541728f * lab.z);
  const float s = cube(lab.x - 0.0894841775f * lab.y - 1.2914855480f * lab.z);
  return {std::clamp(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s, 0.0f, 1.0f),
          std::clamp(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s, 0.0f, 1.0f),
          std::clamp(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s, 0.0f, 1.0f)};
}

}  // namespace

LinearColor from_srgb(Rgb color) {
  const auto channel = [&](std::size_t k) {
    return srgb_to_linear(static_cast<float>(color[k]) / 255);
  };
  return {channel(0), channel(1), channel(2)};
}

LinearColor from_scene_color(const Vec3& srgb) {
  Rgb color;
  for (int k = 0; k < 3; ++k)
    color[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(std::lround(255 * srgb[k]));
  return from_srgb(color);
}

Rgb to_srgb(const LinearColor& color) {
  const auto channel = [](float c) {
    return static_cast<std::uint8_t>(std::lround(255 * linear_to_srgb(c)));
  };
  return {channel(color.x), channel(color.y), channel(color.z)};
}

ColorRamp::ColorRamp(const std::vector<Rgb>& stops) {
  constexpr int entries = 256;
  for (int k = 0; k < entries; ++k) {
    const float position =
        static_cast<float>(k) / (entries - 1) * static_cast<float>(stops.size() - 1);
    const auto segment = std::min(static_cast<std::size_t>(position), stops.size() - 2);
    const float t = position - static_cast<float>(segment);
    table_.push_back(from_oklab(
        mix(to_oklab(from_srgb(stops[segment])), to_oklab(from_srgb(stops[segment + 1])), t)));
  }
}

LinearColor ColorRamp::at(float t) const {
  const float position = t > 0 ? std::min(t, 1.0f) : 0.0f;  // NaN counts as 0
  return table_[static_cast<std::size_t>(
      std::lround(position * static_cast<float>(table_.size() - 1)))];
}

ColorRamp water_ramp() {
  return ColorRamp(
      {{13, 66, 130}, {26, 105, 181}, {52, 145, 217}, {122, 192, 238}, {230, 244, 252}});
}

ColorRamp value_ramp() {
  return ColorRamp({{52, 32, 98}, {44, 88, 148}, {36, 142, 142}, {112, 190, 106}, {248, 220, 92}});
}

LinearColor phase_color(std::uint32_t phase) {
  static constexpr std::array<Rgb, 8> colors = {{{38, 122, 204},
                                                 {228, 118, 58},
                                                 {64, 160, 106},
                                                 {152, 98, 196},
                                                 {220, 178, 52},
                                                 {72, 180, 190},
                                                 {206, 84, 130},
                                                 {130, 134, 142}}};
  return from_srgb(colors[phase % colors.size()]);
}

LinearColor grain_color(std::size_t k) {
  static constexpr std::array<Rgb, 5> colors = {
      {{222, 178, 122}, {146, 142, 138}, {178, 112, 78}, {232, 224, 208}, {104, 88, 76}}};
  return from_srgb(colors[k % colors.size()]);
}

// Each cycle through the colours has another order: k -> a k + b modulo a prime number.
LinearColor body_color(std::size_t k) {
  static constexpr std::array<Rgb, 11> colors = {{{203, 106, 74},
                                                  {58, 126, 134},
                                                  {222, 170, 78},
                                                  {90, 114, 160},
                                                  {138, 164, 114},
                                                  {232, 216, 188},
                                                  {136, 86, 120},
                                                  {134, 178, 200},
                                                  {168, 70, 64},
                                                  {214, 146, 140},
                                                  {116, 120, 72}}};
  constexpr std::size_t count = colors.size();
  const std::size_t round = k / count;
  const std::uint64_t order = round == 0 ? 0 : mix_bits(round);
  const std::size_t step = 1 + order % (count - 1), first = (order >> 32) % count;
  return from_srgb(colors[(k % count * step + first) % count]);
}

}  // namespace panta
