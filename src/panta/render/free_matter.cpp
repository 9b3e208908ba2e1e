#include "panta/render/free_matter.h"

#include "panta/core/random.h"

namespace panta {

namespace {

// In spacings. Lumps close the faces of a lattice and leave its shape a little knobbly.
constexpr float grain_radius = 0.5f, lump_radius = 0.75f;
constexpr float darkest = 0.68f, brightest = 1.2f;  // of a grain's colour

}  // namespace

LinearColor varied(const LinearColor& color, std::uint32_t id) {
  constexpr std::uint64_t seed = 0x67726169;
  return color * (darkest + (brightest - darkest) * random_uniform(seed, id, 0));
}

FreeMatter::FreeMatter(const Scene& scene) : FreeMatter(scene, SolidPoses::of(scene)) {}

FreeMatter::FreeMatter(const Scene& scene, SolidPoses poses)
    : solids_(scene.solids), spacing_(static_cast<float>(scene.spacing)), poses_(std::move(poses)) {
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

ParticleRole FreeMatter::role(std::uint32_t phase, std::uint32_t id) const {
  if (phase >= kinds_.size() || kinds_[phase] == MaterialKind::liquid) return ParticleRole::liquid;
  if (kinds_[phase] == MaterialKind::granular) return ParticleRole::grain;
  const auto body = poses_.body_of(id, phase);
  if (!body) return ParticleRole::lump;
  return is_whole(*body) || solid_of(*body).look == Look::hidden ? ParticleRole::unseen
                                                                 : ParticleRole::lump;
}

float FreeMatter::radius(ParticleRole role) const {
  return spacing_ * (role == ParticleRole::lump ? lump_radius : grain_radius);
}

LinearColor FreeMatter::color(std::uint32_t phase, std::uint32_t id) const {
  const auto body = poses_.body_of(id, phase);
  return body ? color_of(*body) : varied(colors_[phase], id);
}

std::vector<PlacedSolid> FreeMatter::solids(const ParticleFrame& frame) const {
  std::vector<PlacedSolid> placed;
  const std::vector<std::optional<RigidMotion>> poses = poses_.at(frame);
  for (std::size_t body = 0; body < poses.size(); ++body) {
    if (!poses[body] || !is_whole(body) || solid_of(body).look == Look::hidden) continue;
    Quat turn;
    float* const component[] = {&turn.w, &turn.x, &turn.y, &turn.z};
    for (std::size_t k = 0; k < 4; ++k) *component[k] = static_cast<float>(poses[body]->turn[k]);
    placed.push_back({static_cast<std::size_t>(poses_.bodies()[body].solid), turn,
                      to_float(poses[body]->shift), color_of(body)});
  }
  return placed;
}

const Solid& FreeMatter::solid_of(std::size_t body) const {
  return solids_[static_cast<std::size_t>(poses_.bodies()[body].solid)];
}

bool FreeMatter::is_whole(std::size_t body) const { return !(solid_of(body).yield > 0); }

LinearColor FreeMatter::color_of(std::size_t body) const {
  const Solid& solid = solid_of(body);
  if (solid.color) return from_scene_color(*solid.color);
  const auto phase = static_cast<std::size_t>(solid.material);
  return has_color_[phase] ? colors_[phase] : body_color(body);
}

}  // namespace panta
