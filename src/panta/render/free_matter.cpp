#include "panta/render/free_matter.h"

#include "panta/core/random.h"

namespace panta {

namespace {

// In spacings. The lump radius closes the gaps between lattice points; the surface stays slightly
// bumpy.
constexpr float grain_radius = 0.5f, lump_radius = 0.75f;
constexpr float darkest = 0.68f, brightest = 1.2f;  // of a grain's colour

}  // namespace

LinearColor varied(const LinearColor& color, std::uint32_t id) {
  constexpr std::uint64_t seed = 0x67726169;
  return color * (darkest + (brightest - darkest) * random_uniform(seed, id, 0));
}

FreeMatter::FreeMatter(const Scene& scene) : solids_(scene.solids), usual_(scene) {
  std::size_t granular = 0;
  for (const Material& material : scene.materials) {
    const bool is_granular = material.kind == MaterialKind::granular;
    kinds_.push_back(material.kind);
    colors_.push_back(material.color ? from_scene_color(*material.color)
                                     : grain_color(is_granular ? granular : 0));
    has_color_.push_back(material.color.has_value());
    granular += is_granular;
  }
}

float FreeMatter::radius(ParticleRole role) const {
  return usual_.spacing * (role == ParticleRole::lump ? lump_radius : grain_radius);
}

std::vector<PlacedSolid> FreeMatter::solids(const ParticleFrame& frame) const {
  std::vector<PlacedSolid> placed;
  std::size_t number = 0;
  for (const Object& object : frame.objects) {
    if (!has_solid(object)) continue;
    if (object.pose && is_whole(object) && solid_of(object).look != Look::hidden)
      placed.push_back({static_cast<std::size_t>(object.entry), object.pose->rotation,
                        to_float(object.pose->position), color_of(object, number)});
    ++number;
  }
  return placed;
}

bool FreeMatter::has_solid(const Object& object) const {
  return object.kind == ObjectKind::solid && object.entry >= 0 &&
         static_cast<std::size_t>(object.entry) < solids_.size();
}

const Solid& FreeMatter::solid_of(const Object& object) const {
  return solids_[static_cast<std::size_t>(object.entry)];
}

bool FreeMatter::is_whole(const Object& object) const { return !(solid_of(object).yield > 0); }

LinearColor FreeMatter::color_of(const Object& object, std::size_t number) const {
  const Solid& solid = solid_of(object);
  if (solid.color) return from_scene_color(*solid.color);
  const auto phase = static_cast<std::size_t>(solid.material);
  return has_color_[phase] ? colors_[phase] : body_color(number);
}

FrameMatter::FrameMatter(const FreeMatter& matter, const ParticleFrame& frame)
    : matter_(matter), frame_(frame), objects_(frame), sizes_(frame, matter.usual_) {
  std::size_t number = 0;
  for (const Object& object : frame.objects)
    solid_numbers_.push_back(matter.has_solid(object) ? number++ : 0);
}

const Object* FrameMatter::solid_of(std::size_t i) const {
  const Object* object = objects_[i];
  return object && matter_.has_solid(*object) ? object : nullptr;
}

ParticleRole FrameMatter::role(std::size_t i) const {
  const std::uint32_t phase = frame_.phase()[i];
  if (phase >= matter_.kinds_.size() || matter_.kinds_[phase] == MaterialKind::liquid)
    return ParticleRole::liquid;
  if (matter_.kinds_[phase] == MaterialKind::granular) return ParticleRole::grain;
  const Object* solid = solid_of(i);
  if (!solid) return ParticleRole::lump;
  const bool hidden = matter_.solid_of(*solid).look == Look::hidden;
  return hidden || matter_.is_whole(*solid) ? ParticleRole::unseen : ParticleRole::lump;
}

LinearColor FrameMatter::color(std::size_t i) const {
  if (const Object* solid = solid_of(i))
    return matter_.color_of(*solid, solid_numbers_[objects_.number(*solid)]);
  return varied(matter_.colors_[frame_.phase()[i]], frame_.id()[i]);
}

}  // namespace panta
